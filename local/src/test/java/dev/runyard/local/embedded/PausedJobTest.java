package dev.runyard.local.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A job whose task is paused, on a stack of one machine: others run, its items only once the task
/// goes on.
final class PausedJobTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  @Test
  void itsItemsRunOnceTheTaskGoesOn() throws Exception {
    try (StackClient client = new StackClient(folder);
        EmbeddedStack stack = EmbeddedStack.start(StackClient.options(folder), true)) {
      URI uri = stack.uri();
      client.posted(uri, "/v1/tasks", "{\"task_id\":\"t\",\"title\":\"Three\"}", 201);
      client.posted(
          uri,
          "/v1/jobs",
          "{\"job_id\":\"j\",\"task_id\":\"t\",\"request\":{\"agent\":\"echo\"},"
              + "\"items\":[{\"prompt\":\"1\"},{\"prompt\":\"2\"},{\"prompt\":\"3\"}]}",
          202);
      command(client, uri, "pause_task");
      client.posted(uri, "/v1/jobs/j/start", "", 202);
      client.streamed(uri, client.submit(uri, "{\"agent\":\"echo\",\"prompt\":\"hello\"}"));
      command(client, uri, "resume_task");

      List<JsonNode> events = until(client, uri, "/v1/jobs/j/events", "job.completed");
      JsonNode resumed = until(client, uri, "/v1/tasks/t/events", "task.resumed").getLast();
      JsonNode first =
          events.stream().filter(event -> is(event, "job.item.started")).findFirst().orElseThrow();
      assertFalse(at(first).isBefore(at(resumed)), events::toString);
      assertEquals(3, events.stream().filter(event -> is(event, "job.item.completed")).count());
    }
  }

  private static void command(StackClient client, URI stack, String name) throws Exception {
    String body = "{\"command\":\"%s\",\"params\":{\"task_id\":\"t\"}}".formatted(name);
    String answer = client.posted(stack, "/v1/runtime/commands", body, 200);
    assertEquals("done", StackClient.member(answer, "outcome"), answer);
  }

  private static List<JsonNode> until(StackClient client, URI stack, String path, String type)
      throws Exception {
    List<JsonNode> events = new ArrayList<>();
    while (events.isEmpty() || !is(events.getLast(), type)) {
      long after = events.isEmpty() ? 0 : events.getLast().path("sequence").asLong();
      JsonNode page =
          JSON.readTree(client.text(stack, path + "?wait=5&after=" + after)).path("events");
      page.forEach(events::add);
    }
    return events;
  }

  private static boolean is(JsonNode event, String type) {
    return event.path("type").asText().equals(type);
  }

  private static Instant at(JsonNode event) {
    return Instant.parse(event.path("timestamp").asText());
  }
}
