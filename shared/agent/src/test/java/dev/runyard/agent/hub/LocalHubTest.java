package dev.runyard.agent.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LocalHubTest {
  private final LocalHub hub = Hubs.hub("s-1");
  private final List<EnrichedEvent> heard = new ArrayList<>();

  @Test
  void wrapsEveryEventInOneEnvelope() {
    hub.subscribe(heard::add);

    hub.emit(HubEvent.of("made:up").with("any", "thing"));

    EnrichedEvent event = heard.getFirst();
    assertEquals("event-1", event.id());
    assertEquals(Instant.parse("2026-01-01T00:00:00Z"), event.timestamp());
    assertEquals(new HubContext("s-1", HubScope.NONE), event.context());
    assertEquals("{\"type\":\"made:up\",\"any\":\"thing\"}", event.event().json().toString());
  }

  @Test
  void filtersByTypePrefixAndList() {
    List<String> exact = listen(List.of("agent:start"));
    List<String> prefix = listen(List.of("agent:*"));
    List<String> any = listen(List.of("harness:start", "task:*"));
    List<String> all = listen(List.of("*"));

    List<String> types = List.of("agent:start", "agent:text", "harness:start", "task:start");
    types.forEach(type -> hub.emit(HubEvent.of(type)));

    assertEquals(List.of("agent:start"), exact);
    assertEquals(List.of("agent:start", "agent:text"), prefix);
    assertEquals(List.of("harness:start", "task:start"), any);
    assertEquals(types, all);
  }

  @Test
  void continuesWhenAListenerThrows() {
    hub.subscribe(
        _ -> {
          throw new IllegalStateException("a listener's own mistake");
        });
    hub.subscribe(heard::add);

    hub.emit(HubEvent.of("one"));

    assertEquals(1, heard.size());
  }

  @Test
  void nestsScopesAndPassesThemToThreads() throws Exception {
    hub.subscribe(heard::add);

    hub.scoped(
        HubScope.phase("Plan"),
        () ->
            hub.scoped(
                HubScope.task("t-1"),
                () -> {
                  Thread thread = new Thread(() -> hub.emit(HubEvent.of("inside")));
                  thread.start();
                  thread.join();
                  hub.emit(HubEvent.of("over"), HubScope.task("t-2"));
                  return null;
                }));
    hub.emit(HubEvent.of("outside"));

    HubScope inside = heard.get(0).context().scope();
    assertEquals(new HubScope.Phase("Plan", null), inside.phase());
    assertEquals(new HubScope.Task("t-1"), inside.task());
    assertEquals(new HubScope.Task("t-2"), heard.get(1).context().scope().task());
    assertNull(heard.get(2).context().scope().phase());
    assertEquals(new HubContext("s-1", HubScope.NONE), hub.current());
  }

  @Test
  void letsReadersIterateIndependentlyAndLeaveEarly() {
    EventStream early = hub.events();
    EventStream whole = hub.events();
    hub.emit(HubEvent.of("one"));
    hub.emit(HubEvent.of("two"));

    assertEquals("one", early.next().event().type());
    early.close();
    hub.close();

    assertEquals("one", whole.next().event().type());
    assertEquals("two", whole.next().event().type());
    assertFalse(whole.hasNext());
  }

  @Test
  void tellsAReaderThatItFellBehind() {
    EventStream slow = hub.events();
    for (int i = 0; i <= EventStream.BACKLOG_EVENTS_MAX; i++) {
      hub.emit(HubEvent.of("tick"));
    }
    for (int i = 0; i < EventStream.BACKLOG_EVENTS_MAX; i++) {
      slow.next();
    }

    assertThrows(IllegalStateException.class, slow::hasNext);
  }

  @Test
  void repliesOnlyWithinASession() {
    hub.subscribe(heard::add);
    HubReply reply = new HubReply("yes", "y", Instant.EPOCH);

    hub.reply("p-1", reply);
    assertTrue(heard.isEmpty());
    hub.startSession();
    hub.reply("p-1", reply);

    HubEvent event = heard.getFirst().event();
    assertEquals("session:reply", event.type());
    assertEquals("p-1", event.text("promptId").orElseThrow());
    assertEquals("yes", event.text("content").orElseThrow());
    assertEquals("y", event.text("choice").orElseThrow());
  }

  @Test
  void abortsTheSessionAndEndsItsStreams() {
    hub.startSession();
    EventStream stream = hub.events();

    hub.abort("enough");

    assertEquals(HubStatus.ABORTED, hub.status());
    assertEquals("enough", stream.next().event().text("reason").orElseThrow());
    assertFalse(stream.hasNext());
  }

  private List<String> listen(List<String> filters) {
    List<String> types = new ArrayList<>();
    hub.subscribe(filters, event -> types.add(event.event().type()));
    return types;
  }
}
