package dev.runyard.functions.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.functions.stream.StreamRig.Stream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ThreadEventsTest {
  private static final String PATH = "/v1/threads/thread-s-7/events";
  private final StreamRig rig = new StreamRig();
  private final RunKey first = rig.twins.submitted("s-7");
  private final RunKey second = rig.twins.submitted("s-7");

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void eachChangeOfTheOrderHasAllOfIt() throws Exception {
    rig.twins.cancel().cancel(first, "test", "somebody");
    rig.twins.advance().advance(first);
    JsonNode page = page("");

    assertEquals(
        List.of("thread.started", "queue.changed", "queue.changed", "queue.changed"),
        texts(page.path("events"), "type"));
    assertEquals(List.of(first.runId()), runs(page, 1));
    assertEquals(List.of(first.runId(), second.runId()), runs(page, 2));
    assertEquals(List.of(second.runId()), runs(page, 3));
    assertEquals("ended", page.at("/events/3/payload/change").textValue());
    assertEquals("thread-s-7", page.at("/events/3/threadId").textValue());
    assertEquals("s-7", page.at("/events/3/sessionId").textValue());
    assertEquals("thread-s-7.4", page.at("/events/3/eventId").textValue());
    assertEquals("turn-" + second.runId(), page.at("/events/2/turnId").textValue());
  }

  @Test
  void aReaderThatResumesGetsEachEventOnce() throws Exception {
    List<Integer> seen = new ArrayList<>();
    JsonNode page = page("?limit=2");
    while (!page.path("events").isEmpty()) {
      page.path("events").forEach(event -> seen.add(event.path("sequence").intValue()));
      page = page("?limit=2&after=" + page.path("next_after").intValue());
    }

    assertEquals(List.of(1, 2, 3), seen);
    assertEquals(3, page.path("next_after").intValue());
    assertEquals(List.of(), texts(page("?after=3&wait=2").path("events"), "type"));
  }

  @Test
  void streamsWithTheCursorOfTheLastEventSeen() throws Exception {
    try (Stream stream = rig.stream(PATH + "?after=1", "Last-Event-ID", "2")) {
      assertEquals("retry: 1000", stream.line());
      assertEquals(List.of("3"), Stream.ids(stream.next(1)));
    }
  }

  @Test
  void tellsTheSameUnderTheVersionOfTheStrictProfile() throws Exception {
    JsonNode stored = page("").path("events");
    JsonNode strict = page("?view=lime").path("events");

    assertEquals(3, strict.size());
    for (int i = 0; i < strict.size(); i++) {
      ObjectNode event = stored.get(i).deepCopy();
      assertEquals(event.put("schemaVersion", "lime-profile-0.4.0"), strict.get(i));
    }
    try (Stream stream = rig.stream(PATH + "?view=lime&after=2")) {
      JsonNode event = JsonFormat.JSON.readTree(stream.next(1).getFirst().data());
      assertEquals(strict.get(2), event);
    }
  }

  @Test
  void refusesWhatIsNoThread() throws Exception {
    assertEquals(404, rig.get("/v1/threads/thread-s-8/events").statusCode());
    assertEquals(400, rig.get(PATH + "?view=hub").statusCode());
  }

  private JsonNode page(String query) throws Exception {
    return JsonFormat.JSON.readTree(rig.get(PATH + query).body());
  }

  private static List<String> runs(JsonNode page, int event) {
    return texts(page.at("/events/" + event + "/payload/turns"), "runId");
  }

  private static List<String> texts(JsonNode list, String member) {
    return StreamSupport.stream(list.spliterator(), false)
        .map(item -> item.path(member).textValue())
        .toList();
  }
}
