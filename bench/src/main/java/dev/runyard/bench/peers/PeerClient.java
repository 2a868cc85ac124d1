package dev.runyard.bench.peers;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/// Calls a system over HTTP, with the client that the command line uses for Runyard.
final class PeerClient implements AutoCloseable {
  private static final Duration ANSWER_MAX = Duration.ofSeconds(20);
  private static final Duration READY_MAX = Duration.ofSeconds(60);

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /// Posts JSON and returns the answer, which must have a status of 2xx.
  String post(URI uri, String json) throws IOException, InterruptedException {
    return body(posting(uri, json));
  }

  /// Returns the answer, which must have a status of 2xx.
  String get(URI uri) throws IOException, InterruptedException {
    return body(getting(uri));
  }

  private String body(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
    if (!succeeded(answer)) {
      throw new IOException(
          "%s answers %d: %s".formatted(request.uri(), answer.statusCode(), answer.body()));
    }
    return answer.body();
  }

  /// Gets again and again, until the answer is a good one.
  void awaitGet(URI uri, Processes processes) throws IOException, InterruptedException {
    await(getting(uri), processes);
  }

  /// Posts again and again, until the answer is a good one.
  void awaitPost(URI uri, String json, Processes processes)
      throws IOException, InterruptedException {
    await(posting(uri, json), processes);
  }

  private void await(HttpRequest request, Processes processes)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    while (!answers(request)) {
      processes.requireAlive();
      if (System.nanoTime() - begin > READY_MAX.toNanos()) {
        throw new IOException(request.uri() + " is not ready after " + READY_MAX);
      }
      Thread.sleep(Processes.PAUSE_MILLIS);
    }
  }

  private boolean answers(HttpRequest request) throws InterruptedException {
    try {
      return succeeded(http.send(request, BodyHandlers.discarding()));
    } catch (IOException _) {
      return false;
    }
  }

  private static HttpRequest getting(URI uri) {
    return HttpRequest.newBuilder(uri).timeout(ANSWER_MAX).build();
  }

  private static HttpRequest posting(URI uri, String json) {
    return HttpRequest.newBuilder(uri)
        .timeout(ANSWER_MAX)
        .header("content-type", "application/json")
        .POST(BodyPublishers.ofString(json))
        .build();
  }

  private static boolean succeeded(HttpResponse<?> answer) {
    return answer.statusCode() / 100 == 2;
  }

  @Override
  public void close() {
    http.close();
  }
}
