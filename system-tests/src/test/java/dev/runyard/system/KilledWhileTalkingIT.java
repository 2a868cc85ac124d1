package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `kill -9` of the runner between the acceptance of a message and its delivery.
@Order(6)
final class KilledWhileTalkingIT {
  private static final List<String> SENT = List.of("one", "two", "three", "four");

  @TempDir private Path folder;

  @Test
  void deliversEachMessageOnceAndInTheOrderOfItsAcceptance() throws Exception {
    try (SystemStack stack =
        SystemStack.emulated(StackFolder.in(folder), "--agent-jars", TestAgents.in(folder))) {
      Api api = stack.api();
      String id =
          api.run(
              """
              {"agent":"scribe","prompt":"4","retry":{"max_attempts":2,"on":["runner_lost"]}}
              """);
      List<JsonNode> accepted = new ArrayList<>();
      accepted.add(send(api, id, "one"));
      api.until(id, "model.completed");

      stack.freezeRunners();
      accepted.add(send(api, id, "two"));
      accepted.add(send(api, id, "three"));
      assertEquals(accepted.get(1), send(api, id, "two"));
      stack.killRunners();
      assertEquals(accepted.get(2), send(api, id, "three"));
      accepted.add(send(api, id, "four"));

      JsonNode run = api.ended(id);
      assertEquals("completed", run.path("status").asText(), run::toString);
      assertEquals(2, run.path("attempt").asInt());
      assertEquals(SENT, Acp.texts(new Acp(api).run(id)));
      List<JsonNode> log = api.all(id, 1_000);
      List<String> ids = all(accepted, "message_id");
      assertEquals(ids, payloads(log, "channel.message"));
      assertEquals(ids, payloads(log, "process.input"));
      assertEquals(accepted.get(1), send(api, id, "two"));
      assertEquals(422, post(api, id, "two", "something else").status());
      assertEquals(409, post(api, id, "five", "five").status());
    }
  }

  private static JsonNode send(Api api, String id, String content)
      throws IOException, InterruptedException {
    Api.Answer answer = post(api, id, content, content);
    assertEquals(202, answer.status(), answer.json()::toString);
    return answer.json();
  }

  private static Api.Answer post(Api api, String id, String key, String content)
      throws IOException, InterruptedException {
    return api.send(
        api.request("/v1/runs/" + id + "/messages")
            .header("Content-Type", Api.TYPE)
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString("{\"content\":\"%s\"}".formatted(content))));
  }

  private static List<String> payloads(List<JsonNode> log, String type) {
    return all(
        log.stream()
            .filter(event -> event.path("type").asText().equals(type))
            .map(event -> event.path("payload"))
            .toList(),
        "messageId");
  }

  private static List<String> all(List<JsonNode> of, String member) {
    return of.stream().map(each -> each.path(member).asText()).toList();
  }
}
