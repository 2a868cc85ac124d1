package dev.runyard.local.emulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.embedded.FileEventBus;
import dev.runyard.local.rights.AccessCheck;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddedEventBusTest {
  private static final String PUT = "AWSEvents.PutEvents";
  private static final String ENTRIES =
      "{\"Entries\":[{\"Time\":1772366400,\"Source\":\"runyard\",\"DetailType\":\"run.failed\","
          + "\"Detail\":\"{\\\"tenant\\\":\\\"acme\\\"}\",\"EventBusName\":\"runs\"}]}";

  @TempDir private Path folder;

  @Test
  void keepsALineOfEachEvent() throws Exception {
    assertEquals(0, json(call(AccessCheck.NONE, PUT).body()).path("FailedEntryCount").asInt());
    assertEquals(200, call(AccessCheck.NONE, PUT).statusCode());

    List<String> lines = Files.readAllLines(file());
    assertEquals(2, lines.size());
    JsonNode event = json(lines.getFirst());
    assertEquals("runyard", event.path("source").asText());
    assertEquals("run.failed", event.path("detail-type").asText());
    assertEquals("2026-03-01T12:00:00Z", event.path("time").asText());
    assertEquals("acme", event.at("/detail/tenant").asText());
  }

  @Test
  void asksWhetherTheSignerMayPutEventsOnThatBus() throws Exception {
    List<String> asked = new ArrayList<>();
    HttpResponse<String> refused =
        call(
            (_, actions) -> {
              actions.forEach(action -> asked.add(action.action() + " " + action.resource()));
              return Optional.of("not you");
            },
            PUT);

    assertEquals(400, refused.statusCode());
    assertEquals("AccessDeniedException", json(refused.body()).path("__type").asText());
    assertEquals(
        List.of("events:PutEvents arn:aws:events:us-east-1:000000000000:event-bus/runs"), asked);
    assertFalse(Files.exists(file()));
  }

  @Test
  void offersNothingElse() throws Exception {
    assertEquals(400, call(AccessCheck.NONE, "AWSEvents.PutRule").statusCode());
  }

  @Test
  void saysThatAnEventWasNotKept() throws Exception {
    Files.createDirectory(file());

    assertEquals(1, json(call(AccessCheck.NONE, PUT).body()).path("FailedEntryCount").asInt());
  }

  private Path file() {
    return folder.resolve(FileEventBus.FILE);
  }

  private HttpResponse<String> call(AccessCheck access, String target)
      throws IOException, InterruptedException {
    try (EmbeddedEventBus bus = new EmbeddedEventBus(new FileEventBus(file()), access);
        HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(bus.endpoint())
              .header("X-Amz-Target", target)
              .POST(HttpRequest.BodyPublishers.ofString(ENTRIES))
              .build(),
          BodyHandlers.ofString());
    }
  }

  private static JsonNode json(String text) throws IOException {
    return new ObjectMapper().readTree(text);
  }
}
