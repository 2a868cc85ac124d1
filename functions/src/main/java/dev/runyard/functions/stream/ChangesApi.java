package dev.runyard.functions.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.Headers;
import dev.runyard.core.access.Scope;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.change.KeptChange;
import dev.runyard.core.change.KeptChanges;
import dev.runyard.core.change.KeptObject;
import dev.runyard.core.change.WholeChange;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.run.RunState;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// What a run changed in its workspace. Contents are bytes of any kind and may be larger than an
/// answer of a function that is not streamed, so all of it is here. They are served so that no
/// browser shows them as a page of this API.
///
/// A name is looked up in the run's own list, so that none leads to another object.
final class ChangesApi implements Resources<StreamEndpoint> {
  private static final String WHOLE = "whole=true";

  private final RunLog runs;
  private final Supplier<ArtifactStore> store;

  ChangesApi(RunLog runs, Supplier<ArtifactStore> store) {
    this.runs = runs;
    this.store = store;
  }

  @Override
  public List<Route<StreamEndpoint>> routes() {
    return List.of(
        Route.get(
            Scope.RUNS_READ,
            "/v1/runs/{id}/changes",
            request -> list(request, ChangesApi::changes)),
        Route.get(
            Scope.RUNS_READ,
            "/v1/runs/{id}/artifacts",
            request -> list(request, ChangesApi::artifacts)),
        Route.get(Scope.RUNS_READ, "/v1/runs/{id}/publish", this::publication),
        Route.elsewhere("POST", "/v1/runs/{id}/publish"),
        Route.get(
            Scope.RUNS_READ,
            "/v1/runs/{id}/patch",
            request ->
                WHOLE.equals(request.exchange().getRequestURI().getRawQuery())
                    ? content(request, find(request.run()), ChangesApi::wholePatch)
                    : content(request, change -> Optional.ofNullable(change.patch()))),
        Route.get(
            Scope.RUNS_READ,
            "/v1/runs/{id}/workspace",
            request -> content(request, change -> Optional.ofNullable(change.archive()))),
        Route.get(
            Scope.RUNS_READ,
            "/v1/runs/{id}/artifacts/{name+}",
            request -> content(request, change -> named(change, request.named("name")))));
  }

  /// What was found of a run.
  private sealed interface Found {
    record Change(RunKey run, KeptChange change) implements Found {}

    record Nothing(Reply reply) implements Found {}
  }

  private Found find(StreamRequest request) {
    if (hasQuery(request)) {
      return new Found.Nothing(
          Reply.of(
              ProblemCode.INVALID_REQUEST,
              "This resource takes no query but whole=true, and that for a patch only."));
    }
    return find(request.run());
  }

  private Found find(Optional<RunKey> run) {
    if (run.isEmpty()) {
      return new Found.Nothing(Reply.runNotFound());
    }
    return switch (runs.load(run.get())) {
      case RunState.Absent _ -> new Found.Nothing(Reply.runNotFound());
      case RunState.Closed _ ->
          new KeptChanges(store.get())
              .find(run.get())
              .<Found>map(change -> new Found.Change(run.get(), change))
              .orElseGet(() -> new Found.Nothing(notKept()));
      case RunState.Existing _ ->
          new Found.Nothing(
              Reply.of(
                  ProblemCode.RUN_NOT_ENDED,
                  "The run has not ended. What it changes is there when it has."));
    };
  }

  private static boolean hasQuery(StreamRequest request) {
    return request.exchange().getRequestURI().getRawQuery() != null;
  }

  private static Reply takesNoQuery() {
    return Reply.of(ProblemCode.INVALID_REQUEST, "This resource takes no query.");
  }

  private StreamAnswer list(StreamRequest request, Function<KeptChange, JsonNode> shown) {
    return new StreamAnswer.Whole(
        switch (find(request)) {
          case Found.Nothing nothing -> nothing.reply();
          case Found.Change found -> Reply.json(200, shown.apply(found.change()));
        });
  }

  /// What became of publishing the change. It may be there before the run has ended.
  private StreamAnswer publication(StreamRequest request) {
    if (hasQuery(request)) {
      return new StreamAnswer.Whole(takesNoQuery());
    }
    Optional<RunKey> run = request.run().filter(key -> runs.load(key) instanceof RunState.Existing);
    return new StreamAnswer.Whole(
        run.map(
                key ->
                    new KeptChanges(store.get())
                        .findPublication(key)
                        .map(found -> Reply.json(200, JsonFormat.JSON.valueToTree(found)))
                        .orElseGet(ChangesApi::notPublished))
            .orElseGet(Reply::runNotFound));
  }

  private static Reply notPublished() {
    return Reply.of(ProblemCode.CHANGES_NOT_FOUND, "What the run changed has not been published.");
  }

  private StreamAnswer content(
      StreamRequest request, Function<KeptChange, Optional<KeptObject>> which) {
    return content(request, find(request), which);
  }

  private StreamAnswer content(
      StreamRequest request, Found there, Function<KeptChange, Optional<KeptObject>> which) {
    return switch (there) {
      case Found.Nothing nothing -> new StreamAnswer.Whole(nothing.reply());
      case Found.Change found -> {
        Optional<KeptObject> object = which.apply(found.change());
        Optional<byte[]> content =
            object.flatMap(
                named -> new KeptChanges(store.get()).content(found.run(), found.change(), named));
        yield content.isEmpty()
            ? new StreamAnswer.Whole(notKept())
            : new StreamAnswer.Live(() -> send(request, object.get(), content.get()));
      }
    };
  }

  /// All that was changed since the commit that was fetched: by several runs, or by this one alone.
  private static Optional<KeptObject> wholePatch(KeptChange change) {
    WholeChange whole = change.whole();
    return Optional.ofNullable(whole == null ? change.patch() : whole.patch());
  }

  private static void send(StreamRequest request, KeptObject object, byte[] content)
      throws IOException {
    Headers headers = request.exchange().getResponseHeaders();
    headers.set("Content-Type", object.contentType());
    headers.set("Content-Disposition", "attachment");
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Content-Security-Policy", "sandbox");
    headers.set("Cache-Control", "no-store");
    headers.set("Accept-Ranges", "bytes");
    headers.set("ETag", "\"" + object.sha256() + "\"");
    switch (ByteRange.of(request.header("Range"), content.length)) {
      case ByteRange.All _ -> write(request, 200, content, 0, content.length);
      case ByteRange.Part part -> {
        headers.set("Content-Range", part.header(content.length));
        write(request, 206, content, part.from(), part.length());
      }
      case ByteRange.Unsatisfiable _ -> {
        headers.set("Content-Range", "bytes */" + content.length);
        request.exchange().sendResponseHeaders(416, -1);
      }
    }
  }

  private static void write(StreamRequest request, int status, byte[] content, int from, int length)
      throws IOException {
    boolean bodiless = length == 0;
    request.exchange().sendResponseHeaders(status, bodiless ? -1 : length);
    if (!bodiless) {
      request.exchange().getResponseBody().write(content, from, length);
    }
  }

  /// A gateway may have decoded the name before.
  private static Optional<KeptObject> named(KeptChange change, String raw) {
    return change.artifacts().stream()
        .filter(artifact -> artifact.name().equals(raw) || artifact.name().equals(decoded(raw)))
        .findFirst();
  }

  private static String decoded(String raw) {
    try {
      return URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      return raw;
    }
  }

  private static JsonNode changes(KeptChange change) {
    ObjectNode json = JsonFormat.JSON.valueToTree(change);
    json.remove("artifacts");
    json.remove("attempt_id");
    for (String object : List.of("patch", "archive")) {
      if (json.get(object) instanceof ObjectNode stored) {
        stored.retain("bytes", "sha256");
      }
    }
    if (json.get("whole") instanceof ObjectNode whole) {
      whole.retain("base_commit", "files_total", "runs", "patch");
      if (whole.get("patch") instanceof ObjectNode stored) {
        stored.retain("bytes", "sha256");
      }
    }
    JsonNode archive = json.remove("archive");
    if (archive != null) {
      json.set("workspace", archive);
    }
    return json;
  }

  private static JsonNode artifacts(KeptChange change) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode artifacts = json.putArray("artifacts");
    change
        .artifacts()
        .forEach(
            artifact ->
                artifacts
                    .addObject()
                    .put("name", artifact.name())
                    .put("bytes", artifact.bytes())
                    .put("sha256", artifact.sha256())
                    .put("content_type", artifact.contentType()));
    return json;
  }

  private static Reply notKept() {
    return Reply.of(
        ProblemCode.CHANGES_NOT_FOUND,
        "The run has left nothing of this kind, or it was removed. A run keeps what it changes if"
            + " its request has a workspace.");
  }
}
