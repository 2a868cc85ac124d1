package dev.runyard.runner.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.GitForges;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Failure;
import dev.runyard.runner.checkout.GitCredential;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Calls of one server's API with a token. Redirects are not followed, and no answer is awaited or
/// read without end. Closed when the calls are over.
final class ForgeCalls implements AutoCloseable {
  /// Longest time that a call may take, with all of its answer.
  static final int FORGE_SECONDS_MAX = 30;

  /// Most bytes of an answer.
  static final int FORGE_BYTES_MAX = 4 * 1024 * 1024;

  private final HttpClient client;
  private final String api;
  private final Map<String, String> headers;

  ForgeCalls(GitForges.Forge forge, GitCredential credential) {
    this.api = forge.api();
    this.headers =
        switch (forge.kind()) {
          case GITHUB -> GitHubPulls.headers(credential.password());
          case GITLAB -> GitLabMergeRequests.headers(credential.password());
        };
    this.client =
        HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Duration.ofSeconds(FORGE_SECONDS_MAX))
            .build();
  }

  /// What a server answered.
  ///
  /// @param status 0 if it did not answer
  record Answer(int status, JsonNode body, boolean limited) {
    private static final Answer NONE = new Answer(0, JsonNodeFactory.instance.missingNode(), false);

    boolean well() {
      return status >= 200 && status < 300;
    }

    /// Why the server did not do what it was asked for.
    Failure failure() {
      if (limited || status == 429) {
        return PublishTrouble.LIMITED;
      }
      if (status == 401 || status == 403 || status == 404) {
        return PublishTrouble.NOT_ALLOWED;
      }
      if (status >= 300 && status < 400) {
        return PublishTrouble.REDIRECTED;
      }
      return status >= 400 && status < 500 && status != 408
          ? PublishTrouble.PULL_REFUSED
          : PublishTrouble.NO_ANSWER;
    }
  }

  /// The text as a part of an address.
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  Answer get(String path) throws InterruptedException {
    return send(request(path).GET().build());
  }

  Answer post(String path, ObjectNode body) throws InterruptedException {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString(), StandardCharsets.UTF_8))
            .build());
  }

  @Override
  public void close() {
    client.shutdownNow();
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(api + path));
    headers.forEach(request::header);
    return request.header("User-Agent", "runyard");
  }

  private Answer send(HttpRequest request) throws InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(
            request,
            HttpResponse.BodyHandlers.limiting(
                HttpResponse.BodyHandlers.ofByteArray(), FORGE_BYTES_MAX));
    try {
      return read(answer.get(FORGE_SECONDS_MAX, TimeUnit.SECONDS));
    } catch (ExecutionException | TimeoutException _) {
      return Answer.NONE;
    } finally {
      answer.cancel(true);
    }
  }

  /// A server without budget left answers 403 and says so in a header.
  private static Answer read(HttpResponse<byte[]> response) {
    boolean limited =
        response.statusCode() == 403
            && (response.headers().firstValue("retry-after").isPresent()
                || response.headers().firstValue("x-ratelimit-remaining").equals(Optional.of("0")));
    return new Answer(response.statusCode(), json(response.body()), limited);
  }

  private static JsonNode json(byte[] body) {
    try {
      return JsonFormat.JSON.readTree(body);
    } catch (IOException _) {
      return JsonNodeFactory.instance.missingNode();
    }
  }
}
