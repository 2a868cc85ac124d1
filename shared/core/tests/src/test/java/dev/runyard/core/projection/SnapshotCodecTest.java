package dev.runyard.core.projection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.ActionRequired;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.event.WorkspaceNotice;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.core.run.RunFold;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SnapshotCodecTest {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final RunKey RUN = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");
  private static final int ITEM_BYTES_MAX = 400_000;

  @Test
  void readsASnapshotOfBeforeItSaidWhenItsAttemptWrote() {
    String now = SnapshotCodec.encode(run(new RunEvent.ChannelMessage("m-1", "hi", null)));
    assertTrue(now.contains("\"wroteAt\""));
    String before = now.replaceAll("\"wroteAt\":\"[^\"]*\",", "");
    assertFalse(before.contains("wroteAt"));

    RunState.Existing read = SnapshotCodec.decode(before);

    assertEquals(read.facts().at(), read.facts().wroteAt());
  }

  @Test
  void readsASnapshotOfBeforeRunsWaitedForTheirTurn() {
    RunState.Created created =
        (RunState.Created) SnapshotCodec.decode(SnapshotCodec.encode(created()));

    assertFalse(SnapshotCodec.encode(created()).contains("behind"));
    assertEquals(null, created.waiting().behind());
  }

  @Test
  void namesARunThatAwaitsAPersonAndReadsItBack() {
    Instant expires = Instant.parse("2026-03-01T13:00:00Z");
    String text =
        SnapshotCodec.encode(
            run(
                new ActionRequired(
                    "a-1", ActionType.QUESTION, "Which?", null, List.of(), 60, expires, null)));

    assertTrue(text.startsWith("{\"state\":\"awaiting\","), text);
    RunState.Existing read = SnapshotCodec.decode(text);
    assertTrue(assertInstanceOf(RunState.InProgress.class, read).awaiting());
    assertEquals(text, SnapshotCodec.encode(read));
  }

  @Test
  void remembersWhichCommitItsWorkspaceBeganWith() {
    RunState.Existing run =
        folded(
            RunState.absent(),
            new RunEvent.TaskCreated(
                "echo",
                Map.of(),
                List.of(),
                null,
                60,
                Map.of(),
                Map.of(),
                RetryPolicy.NEVER,
                null,
                WorkspaceRequest.of(WorkspaceSource.Git.of("https://example.com/r", "main")),
                null,
                null,
                null,
                691_200),
            new RunEvent.TurnSubmitted("hi"),
            new RunEvent.TaskQueued(1, 0, 0),
            new RunEvent.AttemptStarted(1, "attempt-1", "runner-1", "ticket-1"),
            new WorkspaceNotice.ContextResolved("git", "r", "main", "abc", 1, 1, 1));

    RunState.Existing read = SnapshotCodec.unpack(SnapshotCodec.pack(run));

    assertEquals("abc", run.facts().request().commit());
    assertEquals(run.facts().slim().request(), read.facts().request());
    assertEquals("abc", read.facts().request().commit());
  }

  @Test
  void packsTextOfControlCharactersWhole() {
    RunState.Existing run = run(said(32), new RunEvent.ModelCompleted(), said(32));

    byte[] stored = SnapshotCodec.pack(run);

    assertTrue(stored.length < SnapshotCodec.SNAPSHOT_BYTES_MAX);
    assertEquals(SnapshotCodec.encode(run), SnapshotCodec.encode(SnapshotCodec.unpack(stored)));
  }

  /// As many messages as a run accepts, with ids and senders that hardly deflate.
  @Test
  void cutsTextsThatWouldNotFitAndSaysSo() {
    Random random = new Random(7);
    RunEvent[] events = new RunEvent[Limits.MESSAGES_MAX + 3];
    events[0] = said(0x700);
    events[1] = new RunEvent.ModelCompleted();
    events[2] = said(0x700);
    for (int i = 3; i < events.length; i++) {
      events[i] = new RunEvent.ChannelMessage(noise(random), "hi", noise(random));
    }

    byte[] stored = SnapshotCodec.pack(run(events));

    assertTrue(stored.length < ITEM_BYTES_MAX, stored.length + " bytes");
    RunState.Existing read = SnapshotCodec.unpack(stored);
    assertTrue(read.facts().message().value().endsWith(Bounds.TRUNCATED));
    assertTrue(read.facts().lastMessage().value().endsWith(Bounds.TRUNCATED));
    assertEquals(Limits.MESSAGES_MAX, read.facts().interactions().inbox().size());
  }

  @Test
  void refusesBytesItDidNotWrite() {
    byte[] unknown = {9, 1, 2, 3};
    assertThrows(IllegalArgumentException.class, () -> SnapshotCodec.unpack(unknown));
  }

  private static RunEvent said(int characters) {
    Random random = new Random(1);
    StringBuilder text = new StringBuilder();
    while (Bounds.bytes(text.toString()) < Limits.TEXT_BYTES_MAX - 400) {
      for (int i = 0; i < 100; i++) {
        text.append((char) random.nextInt(characters));
      }
    }
    return new RunEvent.ModelDelta(text.toString());
  }

  private static String noise(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      text.append((char) (0x80 + random.nextInt(0x700)));
    }
    return text.toString();
  }

  private static RunState.Existing created() {
    return folded(
        RunState.absent(),
        new RunEvent.TaskCreated(
            "echo", Map.of(), List.of(), null, 60, Map.of(), Map.of(), RetryPolicy.NEVER),
        new RunEvent.TurnSubmitted("hi"),
        new RunEvent.TaskQueued(1, 0, 0));
  }

  private static RunState.Existing run(RunEvent... events) {
    return folded(
        folded(created(), new RunEvent.AttemptStarted(1, "attempt-1", "runner-1", "ticket-1")),
        events);
  }

  private static RunState.Existing folded(RunState from, RunEvent... events) {
    RunState state = from;
    for (RunEvent event : events) {
      long next = state.sequence() + 1;
      state =
          RunFold.evolve(
              state, new StoredEvent(RUN, "s-1", null, next, START.plusSeconds(next), event));
    }
    return (RunState.Existing) state;
  }
}
