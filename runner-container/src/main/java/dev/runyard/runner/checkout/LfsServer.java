package dev.runyard.runner.checkout;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.GitAddress;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The batch interface of Git LFS at a repository's own server, and the places that it names for
/// contents. Closing it ends its connections.
final class LfsServer implements AutoCloseable {
  /// Most contents that are asked for at once.
  static final int BATCH_OBJECTS_MAX = 100;

  /// Most bytes of an answer about them.
  static final int BATCH_BYTES_MAX = 4 * 1024 * 1024;

  /// Most places that send on to another.
  static final int LFS_REDIRECTS_MAX = 3;

  private static final String MEDIA = "application/vnd.git-lfs+json";
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int GONE = 410;

  private final GitAddress address;
  private final LfsPlaces places;
  private final LfsExchange exchange;

  /// Takes contents.
  interface Taker {
    /// A content that is what its pointer says; its file is removed afterwards.
    void took(LfsPointer pointer, Path content) throws IOException;

    /// The server does not have it.
    void hasNot(LfsPointer pointer);
  }

  LfsServer(LfsPlaces places, Allowance allowance, PreparationSteps steps) {
    this.address = places.address();
    this.places = places;
    this.exchange = new LfsExchange(allowance, steps);
  }

  /// Fetches contents one after another; the failure for which the rest is not fetched.
  ///
  /// @param spare a file of the runner's own
  Optional<Failure> fetch(List<LfsPointer> pointers, Path spare, Taker taker)
      throws IOException, InterruptedException {
    for (int from = 0; from < pointers.size(); from += BATCH_OBJECTS_MAX) {
      List<LfsPointer> some =
          pointers.subList(from, Math.min(pointers.size(), from + BATCH_OBJECTS_MAX));
      Optional<Failure> failure = some(some, spare, taker);
      if (failure.isPresent()) {
        return failure;
      }
    }
    return Optional.empty();
  }

  private Optional<Failure> some(List<LfsPointer> pointers, Path spare, Taker taker)
      throws IOException, InterruptedException {
    Optional<LfsPlaces.Place> named = places.batch();
    if (named.isEmpty()) {
      return Optional.of(LfsTrouble.PLACE);
    }
    LfsPlaces.Place batch = named.get();
    LfsExchange.Ended ended =
        exchange.post(
            batch.uri(), batch.headers(), MEDIA, question(pointers), spare, BATCH_BYTES_MAX);
    if (!(ended instanceof LfsExchange.Ended.Answered(int status, var _)) || status != OK) {
      return Optional.of(why(ended));
    }
    Map<String, JsonNode> answers = answers(Files.readAllBytes(spare));
    for (LfsPointer pointer : pointers) {
      JsonNode answer = answers.get(pointer.oid());
      if (answer == null || answer.path("size").asLong(-1) != pointer.size()) {
        return Optional.of(LfsTrouble.NO_ANSWER);
      }
      Optional<Failure> failure = one(pointer, answer, spare, taker);
      if (failure.isPresent()) {
        return failure;
      }
    }
    Files.deleteIfExists(spare);
    return Optional.empty();
  }

  private Optional<Failure> one(LfsPointer pointer, JsonNode answer, Path spare, Taker taker)
      throws IOException, InterruptedException {
    int error = answer.path("error").path("code").asInt(0);
    if (error == NOT_FOUND || error == GONE) {
      taker.hasNot(pointer);
      return Optional.empty();
    }
    JsonNode download = answer.path("actions").path("download");
    Optional<LfsPlaces.Place> place = places.named(download);
    for (int moves = 0; place.isPresent() && moves <= LFS_REDIRECTS_MAX; moves++) {
      LfsPlaces.Place here = place.get();
      LfsExchange.Ended ended = exchange.get(here.uri(), here.headers(), spare, pointer.size());
      if (!(ended instanceof LfsExchange.Ended.Answered(int status, Optional<URI> next))) {
        return Optional.of(why(ended));
      }
      if (next.isPresent()) {
        place = places.next(here, next.get());
      } else if (status != OK) {
        return Optional.of(why(ended));
      } else if (!exchange.isContentOf(pointer)) {
        return Optional.of(LfsTrouble.OTHER_CONTENT);
      } else {
        taker.took(pointer, spare);
        return Optional.empty();
      }
    }
    return Optional.of(LfsTrouble.PLACE);
  }

  private static byte[] question(List<LfsPointer> pointers) {
    ObjectNode question = JsonFormat.JSON.createObjectNode();
    question.put("operation", "download");
    question.putArray("transfers").add("basic");
    question.put("hash_algo", "sha256");
    ArrayNode objects = question.putArray("objects");
    for (LfsPointer pointer : pointers) {
      objects.addObject().put("oid", pointer.oid()).put("size", pointer.size());
    }
    return question.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static Map<String, JsonNode> answers(byte[] body) throws IOException {
    Map<String, JsonNode> answers = new HashMap<>();
    try {
      for (JsonNode answer : JsonFormat.JSON.readTree(body).path("objects")) {
        answers.put(answer.path("oid").asText(), answer);
      }
    } catch (JacksonException _) {
      return Map.of();
    }
    return answers;
  }

  private static Failure why(LfsExchange.Ended ended) {
    return switch (ended) {
      case LfsExchange.Ended.Answered(int status, var _) -> LfsTrouble.of(status);
      case LfsExchange.Ended.Stopped _ -> GitTrouble.STOPPED;
      case LfsExchange.Ended.TimeOver _ -> GitTrouble.SLOW;
      case LfsExchange.Ended.TooMuch _ -> LfsTrouble.OTHER_CONTENT;
      case LfsExchange.Ended.Failed _ -> LfsTrouble.NO_ANSWER;
    };
  }

  @Override
  public void close() {
    exchange.close();
  }

  @Override
  public String toString() {
    return "LfsServer[" + address.server() + "]";
  }
}
