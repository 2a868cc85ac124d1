package dev.runyard.functions.stream;

import static dev.runyard.functions.stream.StreamRig.events;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class HubEventsTest {
  private final StreamRig rig = new StreamRig();

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void showsARunInPagesWhoseCursorIsTheStoredSequence() throws Exception {
    RunKey run = rig.twins.running();
    rig.twins.report(run, new RunEvent.ModelDelta("hi"));
    rig.twins.complete(run);

    JsonNode whole = page(run, "?view=hub");
    assertTrue(whole.path("closed").booleanValue());
    List<String> types = types(whole);
    assertEquals("harness:start", types.getFirst());
    assertEquals("harness:complete", types.getLast());
    assertTrue(types.containsAll(List.of("agent:start", "agent:text", "agent:complete")));

    List<String> inParts = new ArrayList<>();
    JsonNode part = page(run, "?view=hub&limit=2");
    inParts.addAll(types(part));
    while (!part.path("closed").booleanValue()) {
      part = page(run, "?view=hub&limit=2&after=" + part.path("next_after").intValue());
      inParts.addAll(types(part));
    }
    assertEquals(types, inParts);
  }

  @Test
  void streamsTheSameEventsUnderTheirTypes() throws Exception {
    RunKey run = rig.twins.running();
    rig.twins.complete(run);
    String streamed =
        rig.send(rig.request(events(run, "?view=hub")).header("Accept", "text/event-stream"))
            .body();

    List<String> names =
        streamed
            .lines()
            .filter(line -> line.startsWith("event: "))
            .map(line -> line.substring("event: ".length()))
            .toList();
    assertEquals(types(page(run, "?view=hub")), names);
    assertTrue(streamed.contains("id: 1\nevent: harness:start\n"));
  }

  private JsonNode page(RunKey run, String query) throws Exception {
    return JsonFormat.JSON.readTree(rig.get(events(run, query)).body());
  }

  private static List<String> types(JsonNode page) {
    List<String> types = new ArrayList<>();
    page.path("events").forEach(event -> types.add(event.at("/event/type").textValue()));
    return types;
  }
}
