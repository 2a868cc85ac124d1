package dev.runyard.local.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.local.StackRequests;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A stack with more readers than `StreamsMax`.
final class ReservedCallsTest {
  private static final int BUSY = 503;

  @TempDir private Path folder;

  @Test
  void readersBeyondTheMostWaitOutsideAndNobodyElseDoes() throws Exception {
    try (EmbeddedStack stack =
            EmbeddedStack.start(
                StackClient.options(folder).withParameter("StreamsMax", "2"), false);
        StackClient client = new StackClient(folder);
        HttpClient http = HttpClient.newHttpClient()) {
      String run = client.submit(stack.uri(), "{\"agent\":\"codex\",\"prompt\":\"work\"}");
      try (InputStream one = follow(http, stack.uri(), run).body();
          InputStream two = follow(http, stack.uri(), run).body()) {
        assertTrue(one.read() >= 0 && two.read() >= 0);

        HttpResponse<InputStream> third = follow(http, stack.uri(), run);

        assertEquals(BUSY, third.statusCode());
        assertEquals("5", third.headers().firstValue("Retry-After").orElse(""));
        String problem = new String(third.body().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(problem.contains("\"code\":\"unavailable\""), problem);
        assertTrue(problem.contains("\"category\":\"capacity\""), problem);

        String other = client.submit(stack.uri(), "{\"agent\":\"echo\",\"prompt\":\"hello\"}");
        assertEquals(other, client.listed(stack.uri(), "completed").path("run_id").asText());
        client.cancel(stack.uri(), run);
        one.readAllBytes();
        two.readAllBytes();
      }
      HttpResponse<InputStream> later = follow(http, stack.uri(), run);
      while (later.statusCode() == BUSY) {
        later.body().close();
        later = follow(http, stack.uri(), run);
      }
      assertEquals(200, later.statusCode());
      later.body().close();
    }
  }

  private HttpResponse<InputStream> follow(HttpClient http, URI stack, String run)
      throws IOException, InterruptedException {
    return http.send(
        StackRequests.in(folder.resolve("work"), stack, "/v1/runs/" + run + "/events")
            .header("Accept", "text/event-stream")
            .build(),
        BodyHandlers.ofInputStream());
  }
}
