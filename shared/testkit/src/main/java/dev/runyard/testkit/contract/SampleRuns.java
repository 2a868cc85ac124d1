package dev.runyard.testkit.contract;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.request.RunWebhook;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.core.run.RunFold;
import dev.runyard.core.run.RunState;
import dev.runyard.core.usage.Usage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// Runs to test with. Every key, tenant and chunk id is new within the JVM, so that tests may share
/// a table; later keys sort later, like those of a real clock.
final class SampleRuns {
  static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final AtomicInteger NEXT = new AtomicInteger();

  private SampleRuns() {}

  static String tenant() {
    return "tenant-" + NEXT.incrementAndGet();
  }

  static RunKey run(String tenant) {
    return new RunKey(
        tenant, "019c0000-%04x-7000-8000-000000000000".formatted(NEXT.incrementAndGet()));
  }

  static RunKey run() {
    return run(tenant());
  }

  static String chunkId() {
    return "chunk-" + NEXT.incrementAndGet();
  }

  /// A chunk of one text event for each text.
  static Chunk chunk(RunKey run, long first, String... texts) {
    List<StoredEvent> events = new ArrayList<>();
    for (String text : texts) {
      events.add(
          new StoredEvent(
              run,
              "session-1",
              "attempt-1",
              first + events.size(),
              START,
              new RunEvent.ModelDelta(text)));
    }
    ChunkBody body = ChunkBody.of(EventCodec.RUNS, events);
    return new Chunk(run, chunkId(), "writer-1", body, Optional.empty(), false);
  }

  static RunState.Created created(RunKey run, String agent, String session, Instant at) {
    return (RunState.Created)
        then(
            RunState.absent(),
            run,
            session,
            at,
            new RunEvent.TaskCreated(
                agent,
                Map.of(),
                List.of("run"),
                "src",
                600,
                Map.of("LANG", "C"),
                Map.of("team", "größe"),
                new RetryPolicy(3, List.of("*"), 5),
                new RunBounds(7, 5_000_000_000L, 0.5, 0, 60),
                WorkspaceRequest.of(WorkspaceSource.Git.of("https://host/repo.git", "main")),
                new RunWebhook("https://a.example/", "whsec_x", List.of("run.failed")),
                null,
                null,
                89 * 86_400),
            new RunEvent.TurnSubmitted("say hello"),
            new RunEvent.TaskQueued(1, 0, 0));
  }

  static RunState.Created created(RunKey run) {
    return created(run, "echo", "session-1", START);
  }

  static RunState.InProgress running(RunState.Created run, Instant at) {
    return (RunState.InProgress)
        then(
            run,
            at,
            new RunEvent.AttemptStarted(1, "attempt-1", "runner-1", "message-1"),
            new RunEvent.ProcessStarted("process-1", "echo"),
            new RunEvent.SessionUpdated("native-1"),
            new RunEvent.ModelDelta("hé"),
            new RunEvent.ModelDelta("llo 👋"),
            new RunEvent.CostRecorded(new Usage(10, 4, 2, 20, 5, 0.25, 1), "model-1"));
  }

  static RunState.Completed completed(RunState.InProgress run, Instant at) {
    return (RunState.Completed)
        then(
            run,
            at,
            new RunEvent.ModelCompleted(),
            new RunEvent.ProcessCompleted("process-1", 0, null, 1200),
            new RunEvent.AttemptCompleted(1, "attempt-1"),
            new RunEvent.TurnCompleted(),
            new RunEvent.TaskCompleted());
  }

  /// One state of every kind a snapshot can contain.
  static List<RunState.Existing> everyState(String tenant) {
    Failure failure = Failure.backend("agent_error", "The agent ended with 1.");
    RunEvent failed = new RunEvent.AttemptFailed(1, "attempt-1", failure);
    RunEvent retried = new RunEvent.TaskQueued(2, 5, 0);
    RunEvent cancel = new RunEvent.CancelRequested("changed my mind");
    RunEvent cancelled = new RunEvent.TaskCancelled("changed my mind");
    RunState.Existing asked = asked(running(created(run(tenant)), START));
    RunState.Existing waiting = asked(running(created(run(tenant)), START));
    RunEvent paused = new RunEvent.TaskPaused(1, "attempt-1", "awaiting");
    String action = ActionId.of(asked.facts().run(), 1);
    RunEvent answered =
        new RunEvent.ActionResolved(action, ActionDecision.ANSWER, null, "somebody");
    RunEvent taken = new RunEvent.ProcessInput("process-1", "message-1", null, null);
    return List.of(
        created(run(tenant)),
        running(created(run(tenant)), START),
        then(running(created(run(tenant)), START), START, failed, retried),
        asked(running(created(run(tenant)), START)),
        then(waiting, START, paused),
        then(asked(running(created(run(tenant)), START)), START, taken, paused, retried),
        then(asked, START.plusSeconds(5), answered),
        then(created(run(tenant)), START, cancel),
        then(running(created(run(tenant)), START), START, cancel),
        completed(running(created(run(tenant)), START), START),
        then(created(run(tenant)), START, new RunEvent.TaskFailed(failure)),
        then(running(created(run(tenant)), START), START, failed, new RunEvent.TaskLost(failure)),
        then(created(run(tenant)), START, cancel, cancelled),
        then(running(created(run(tenant)), START), START, cancel, cancelled));
  }

  /// The agent waits for an answer and has a message.
  static RunState.Existing asked(RunState.InProgress run) {
    return then(
        run,
        START,
        new Question(
                ActionId.of(run.facts().run(), 1),
                ActionType.QUESTION,
                "Which?",
                JsonNodeFactory.instance.objectNode().put("type", "string"),
                List.of("this", "that"),
                0,
                JsonNodeFactory.instance.objectNode().put("file", "größe"))
            .asked(START),
        new RunEvent.ChannelMessage("message-1", "hello", null));
  }

  static RunState.Existing then(RunState.Existing run, Instant at, RunEvent... events) {
    return then(run, run.facts().run(), run.facts().request().sessionId(), at, events);
  }

  private static RunState.Existing then(
      RunState from, RunKey run, String session, Instant at, RunEvent... events) {
    RunState state = from;
    for (RunEvent event : events) {
      state =
          RunFold.evolve(
              state, new StoredEvent(run, session, null, state.sequence() + 1, at, event));
    }
    return (RunState.Existing) state;
  }
}
