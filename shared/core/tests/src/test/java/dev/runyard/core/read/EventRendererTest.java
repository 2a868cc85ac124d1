package dev.runyard.core.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.SampleRequests;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.view.RenderedEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// What readers get who begin somewhere in a run.
final class EventRendererTest {
  private static final RunKey RUN = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");
  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final Ids ids = new RandomIds(new Random(3));
  private final MemoryEventLog log = new MemoryEventLog();
  private final RunLog runs =
      new RunLog(log, Snapshots.none(), RunDecider.rules(), clock, ids, "test");

  @Test
  void isTheSameWhereverAReaderBegins() {
    ended();
    List<StoredEvent> all = stored();
    for (Protocol protocol : Protocol.values()) {
      List<List<RenderedEvent>> whole = rendered(protocol, all);
      for (int from = 0; from < all.size(); from++) {
        assertEquals(
            whole.subList(from, all.size()),
            rendered(protocol, all.subList(from, all.size())),
            protocol + " from " + from);
      }
      assertTrue(whole.stream().anyMatch(events -> !events.isEmpty()), protocol.wire());
    }
  }

  /// A reader of one type of events gets some of them only.
  @Test
  void isTheSameWhereAReaderLeavesEventsOut() {
    ended();
    List<StoredEvent> all = stored();
    for (Protocol protocol : Protocol.values()) {
      List<List<RenderedEvent>> whole = rendered(protocol, all);
      EventRenderer some = renderer(protocol);
      for (int i = 2; i < all.size(); i += 3) {
        assertEquals(whole.get(i), some.render(all.get(i)), protocol + " at " + i);
      }
    }
  }

  @Test
  void theCompletionIsToldOnceTheRunHasEnded() {
    running();
    EventRenderer agentApi = renderer(Protocol.AGENT_API);
    assertEquals(Optional.empty(), agentApi.completion());
    assertTrue(agentApi.tellsCompletion());
    end();

    Optional<RenderedEvent> told = agentApi.completion();

    assertTrue(told.isPresent());
    assertSame(told, agentApi.completion());
    for (Protocol other : List.of(Protocol.RUNTIME, Protocol.ACP, Protocol.HUB)) {
      assertFalse(renderer(other).tellsCompletion(), other.wire());
      assertEquals(Optional.empty(), renderer(other).completion(), other.wire());
    }
  }

  @Test
  void onlyWhatNeedsNoPastOfItsOwnIsShared() {
    assertTrue(renderer(Protocol.RUNTIME).mayBeShared());
    assertTrue(renderer(Protocol.HUB).mayBeShared());
    assertFalse(renderer(Protocol.ACP).mayBeShared());
    assertEquals(Protocol.HUB, renderer(Protocol.HUB).protocol());
  }

  @Test
  void aProtocolHasItsName() {
    for (Protocol protocol : Protocol.values()) {
      assertEquals(Optional.of(protocol), Protocol.of(protocol.wire()));
      assertTrue(Protocol.names().contains(protocol.wire()));
    }
    assertEquals(Optional.empty(), Protocol.of("mcp"));
  }

  private List<List<RenderedEvent>> rendered(Protocol protocol, List<StoredEvent> events) {
    EventRenderer renderer = renderer(protocol);
    return events.stream().map(renderer::render).toList();
  }

  private EventRenderer renderer(Protocol protocol) {
    return new EventRenderer(protocol, RUN, log, runs);
  }

  private List<StoredEvent> stored() {
    List<StoredEvent> events = new ArrayList<>();
    for (Chunk chunk : log.chunksAfter(RUN, 0)) {
      events.addAll(chunk.events(EventCodec.RUNS));
    }
    return events;
  }

  private void running() {
    RunRequest request = SampleRequests.echo(RUN.runId());
    runs.execute(RUN, new RunCommand.Submit(request));
    runs.execute(RUN, new RunCommand.Claim("attempt-1", "runner", "ticket", clock.instant()));
    report(new RunEvent.ProcessStarted("process-1", "echo"), new RunEvent.ModelDelta("hel"));
    report(new RunEvent.ModelDelta("lo"), new RunEvent.ModelCompleted());
    report(new RunEvent.ModelDelta("and bye"), new RunEvent.ModelCompleted());
  }

  private void ended() {
    running();
    end();
  }

  private void end() {
    report(
        new RunEvent.ProcessCompleted("process-1", 0, null, 1200),
        new RunEvent.AttemptCompleted(1, "attempt-1"));
    runs.execute(RUN, new RunCommand.Advance(clock.instant()));
  }

  private void report(RunEvent... events) {
    runs.execute(RUN, new RunCommand.Report("attempt-1", List.of(events)));
  }
}
