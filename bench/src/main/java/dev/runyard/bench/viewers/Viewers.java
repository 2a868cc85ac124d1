package dev.runyard.bench.viewers;

import dev.runyard.bench.stack.AccessTokens;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/// Clients that follow one run by server-sent events from its beginning to its end. Each takes only
/// an unbroken sequence, and notes how old an event is when it comes.
public final class Viewers {
  /// Clients that connect at the same time: more would overflow the queue of a listening socket.
  private static final int CONNECTING_MAX = 64;

  private static final String ID = "id: ";
  private static final String DATA = "data: ";
  private static final String TIMESTAMP = "\"timestamp\":\"";

  private final URI stack;
  private final String runId;
  private final Optional<String> token;
  private final Semaphore connecting = new Semaphore(CONNECTING_MAX);

  public Viewers(URI stack, String runId) {
    this.stack = stack;
    this.runId = runId;
    this.token = AccessTokens.of(stack);
  }

  /// What one viewer saw.
  ///
  /// @param lags milliseconds from an event's timestamp to its coming, of those that came after the
  ///   viewer was there
  /// @param broken why its sequence is no whole one; empty for one that is
  public record Seen(long last, List<Double> lags, String broken) {}

  /// Follows the run with so many viewers until all have seen its end.
  public List<Seen> follow(int viewers) throws Exception {
    List<Future<Seen>> all = new ArrayList<>();
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < viewers; i++) {
        all.add(threads.submit(() -> follow(client)));
      }
    }
    List<Seen> seen = new ArrayList<>();
    for (Future<Seen> one : all) {
      seen.add(one.get());
    }
    return seen;
  }

  private Seen follow(HttpClient client) throws IOException, InterruptedException {
    connecting.acquire();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(stack.resolve("/v1/runs/" + runId + "/events"))
            .header("Accept", "text/event-stream");
    token.ifPresent(text -> request.header("Authorization", "Bearer " + text));
    HttpResponse<InputStream> answer;
    try {
      answer = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    } finally {
      connecting.release();
    }
    Instant there = Instant.now();
    List<Double> lags = new ArrayList<>();
    long last = 0;
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(ID)) {
          long id = Long.parseLong(line.substring(ID.length()));
          if (id != last + 1) {
            return new Seen(last, lags, "%d follows %d".formatted(id, last));
          }
          last = id;
        } else if (line.startsWith(DATA)) {
          Instant told = timestamp(line);
          if (told.isAfter(there)) {
            lags.add(Duration.between(told, Instant.now()).toNanos() / 1e6);
          }
        }
      }
    }
    return new Seen(last, lags, answer.statusCode() == 200 ? "" : "HTTP " + answer.statusCode());
  }

  private static Instant timestamp(String line) {
    int at = line.indexOf(TIMESTAMP) + TIMESTAMP.length();
    return Instant.parse(line.substring(at, line.indexOf('"', at)));
  }
}
