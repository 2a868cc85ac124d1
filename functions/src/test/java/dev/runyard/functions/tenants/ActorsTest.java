package dev.runyard.functions.tenants;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.Requester;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.log.EventCursor;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Who is named in events, and where.
final class ActorsTest {
  private static final String ACTOR = "key:key_shop";
  private ClientFunctions functions;
  private String key = "";
  private Belongings belongings;

  @BeforeEach
  void open() throws Exception {
    functions = new ClientFunctions();
    key = functions.key("shop");
    belongings = Belongings.of(functions, "shop", key);
  }

  @AfterEach
  void close() {
    functions.close();
  }

  @Test
  void namesWhoCausedAnEventAndNobodyElse() throws Exception {
    String run = id("run");
    call("POST /v1/actions/{id}", id("action"));
    call("POST /v1/runs/{id}/cancel", run);

    Map<String, String> actors = new TreeMap<>();
    for (StoredEvent event : events(run)) {
      actors.put(event.type(), actor(event));
    }
    assertEquals(
        Map.of(
            "task.created", ACTOR,
            "turn.submitted", ACTOR,
            "task.queued", ACTOR,
            "task.attempt.started", "null",
            "process.started", "null",
            "action.required", "null",
            "action.resolved", ACTOR,
            "task.cancel_requested", ACTOR),
        actors);
  }

  @Test
  void showsTheActorToWhoReadsTheEventsAndTheAction() throws Exception {
    String decided = call("POST /v1/actions/{id}", id("action"));
    assertEquals(ACTOR, JsonFormat.JSON.readTree(decided).path("decided_by").textValue());

    String page = call("GET /v1/runs/{id}/events", id("run"));
    JsonNode events = JsonFormat.JSON.readTree(page).path("events");
    assertEquals(ACTOR, events.path(0).path("actor").textValue());
    assertFalse(events.path(3).has("actor"), events.path(3).toString());
  }

  @Test
  void namesTheActorOfTheOtherProtocolToo() throws Exception {
    String created =
        functions
            .call(
                key,
                "POST /runs",
                "/runs",
                "{\"agent_name\":\"echo\",\"mode\":\"async\",\"input\":[{\"role\":\"user\","
                    + "\"parts\":[{\"content_type\":\"text/plain\",\"content\":\"hi\"}]}]}")
            .body();
    String run = JsonFormat.JSON.readTree(created).path("run_id").textValue();
    functions.call(key, "POST /runs/{id}/cancel", "/runs/" + run + "/cancel", "");

    List<StoredEvent> events = events(run);
    assertEquals(ACTOR, actor(events.getFirst()));
    assertEquals(ACTOR, actor(events.getLast()));
    assertEquals("task.cancel_requested", events.getLast().type());
  }

  @Test
  void namesWhoResumesARun() throws Exception {
    String run = id("run");
    functions.call(
        key,
        "POST /runs/{id}",
        "/runs/" + run,
        Belongings.BODIES.getOrDefault("POST /runs/{id}", ""));

    StoredEvent resolved =
        events(run).stream()
            .filter(event -> event.event() instanceof RunEvent.ActionResolved)
            .findFirst()
            .orElseThrow();
    assertEquals(ACTOR, actor(resolved));
    assertEquals(ACTOR, ((RunEvent.ActionResolved) resolved.event()).by());
  }

  private static String actor(StoredEvent event) {
    Requester by = event.by();
    return by == null ? "null" : by.actor();
  }

  private String id(String kind) {
    return belongings.ids().stream()
        .filter(one -> one.name().equals(kind))
        .findFirst()
        .orElseThrow()
        .owned();
  }

  private String call(String route, String id) throws IOException, InterruptedException {
    String path = route.substring(route.indexOf(' ') + 1).replace("{id}", id);
    return functions.call(key, route, path, Belongings.BODIES.getOrDefault(route, "{}")).body();
  }

  private List<StoredEvent> events(String run) {
    return new EventCursor<>(functions.ports.events(), EventCodec.RUNS, new RunKey("shop", run), 0)
        .next();
  }
}
