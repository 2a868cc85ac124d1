package dev.runyard.core.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.artifact.LeftWorkspace;
import dev.runyard.core.artifact.LeftWorkspaces;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.log.WithoutBeginning;
import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryIdempotencyStore;
import dev.runyard.core.memory.MemoryPlaces;
import dev.runyard.core.memory.MemoryRunQueue;
import dev.runyard.core.memory.MemoryTenantUses;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.quota.RunAdmission;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.SampleRequests;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.TurnOrder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SubmitRunTest {
  private static final SubmitRun.By BY = new SubmitRun.By("acme", "somebody");
  private static final Optional<SubmitRun.Key> KEY = Optional.of(new SubmitRun.Key("k-1", "f-1"));
  private static final String OTHER = "00000000-0000-7000-8000-000000000009";
  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final Ids ids = new RandomIds(new Random(3));
  private final MemoryEventLog log = new MemoryEventLog();
  private final MemoryIdempotencyStore keys = new MemoryIdempotencyStore();
  private final MemoryRunQueue queue = new MemoryRunQueue(clock, 45);
  private final MemoryArtifactStore artifacts = new MemoryArtifactStore();
  private final RunLog runs =
      new RunLog(log, Snapshots.none(), RunDecider.rules(), clock, ids, "test");
  private final SubmitRun submit = submit(queue);

  @Test
  void aRunWithoutASessionBeginsOne() {
    RunState.Existing run = accepted(submit.submit(BY, request(), Optional.empty()));

    assertEquals(run.facts().run().runId(), run.facts().request().sessionId());
    assertEquals(run, runs.load(run.facts().run()));
    assertEquals(List.of(run.facts().run()), queue.runs());
  }

  @Test
  void theSameKeyAndRequestIsTheRunAsItWasAccepted() {
    RunState.Existing first = accepted(submit.submit(BY, request(), KEY));
    runs.execute(first.facts().run(), new RunCommand.Cancel("enough"));

    assertEquals(first, accepted(submit.submit(BY, request(), KEY)));

    assertEquals(1, log.streams().size());
    assertEquals(List.of(first.facts().run()), queue.runs());
  }

  @Test
  void theSameKeyWithAnotherRequestIsRefused() {
    submit.submit(BY, request(), KEY);

    SubmitRun.Result result =
        submit.submit(BY, request(), Optional.of(new SubmitRun.Key("k-1", "f-2")));

    assertEquals(
        ProblemCode.IDEMPOTENCY_MISMATCH,
        assertInstanceOf(SubmitRun.Result.Rejected.class, result).problem().code());
  }

  /// Whoever bound the key died before the run was written.
  @Test
  void aBoundKeyWithoutARunMakesItsRun() {
    String bound = ids.runId(clock.instant());
    keys.bind(new IdempotencyStore.Claim("acme", "k-1", "f-1", bound, clock.instant()));

    RunState.Existing run = accepted(submit.submit(BY, request(), KEY));

    assertEquals(new RunKey("acme", bound), run.facts().run());
    assertEquals(List.of(run.facts().run()), queue.runs());
  }

  /// Its first events are removed before its name is forgotten.
  @Test
  void aKeyOfARunThatHasLostItsBeginningMakesNoOther() {
    RunState.Existing run = accepted(submit.submit(BY, request(), KEY));
    RunState ended = runs.execute(run.facts().run(), new RunCommand.Cancel("enough")).state();
    EventLog rest = new WithoutBeginning(log);
    RunLog later =
        new RunLog(rest, _ -> Optional.of(ended), RunDecider.rules(), clock, ids, "test");

    assertEquals(ended, accepted(submit(later, rest, queue).submit(BY, request(), KEY)));
    assertEquals(2, log.chunksAfter(run.facts().run(), 0).size());
  }

  @Test
  void aNameIsForgottenNoLaterThanTheRunThatItLeadsTo() {
    IdempotencyStore brief = new BriefKeys(keys, 60);
    Instant now = clock.instant();
    assertEquals(
        new IdempotencyStore.Binding.Fresh(),
        brief.bind(new IdempotencyStore.Claim("acme", "k-1", "f-1", "run-1", now)));

    assertEquals(Optional.of("run-1"), brief.find("acme", "k-1", now.plusSeconds(59)));
    assertEquals(Optional.empty(), brief.find("acme", "k-1", now.plusSeconds(60)));
  }

  @Test
  void aRunIsAcceptedThoughTheQueueDoesNotAnswer() {
    RunQueue away =
        new RunQueue() {
          @Override
          public void send(QueueMessage message, int delaySeconds) {
            throw new PortUnavailable("no answer");
          }

          @Override
          public List<Ticket> receive(int max, int waitSeconds) {
            return List.of();
          }

          @Override
          public List<Ticket> extend(List<Ticket> tickets, int seconds) {
            return tickets;
          }

          @Override
          public void delete(Ticket ticket) {}

          @Override
          public Depth depth() {
            return new Depth(0, 0);
          }
        };

    RunState.Existing run = accepted(submit(away).submit(BY, request(), Optional.empty()));

    assertEquals(run, runs.load(run.facts().run()));
  }

  @Test
  void refusesTheFilesOfARunThatHasLeftNone() {
    RunRequest wanted = request().with(WorkspaceRequest.of(new WorkspaceSource.Run(OTHER)));

    SubmitRun.Result result = submit.submit(BY, wanted, KEY);

    assertEquals(
        ProblemCode.WORKSPACE_NOT_FOUND,
        assertInstanceOf(SubmitRun.Result.Rejected.class, result).problem().code());
    assertEquals(List.of(), queue.runs());
  }

  @Test
  void acceptsTheFilesOfARunThatHasLeftSome() {
    RunRequest wanted = request().with(WorkspaceRequest.of(new WorkspaceSource.Run(OTHER)));
    assertInstanceOf(SubmitRun.Result.Rejected.class, submit.submit(BY, wanted, KEY));
    left("other", true);
    assertInstanceOf(SubmitRun.Result.Rejected.class, submit.submit(BY, wanted, KEY));
    left("acme", false);
    assertInstanceOf(SubmitRun.Result.Rejected.class, submit.submit(BY, wanted, KEY));

    left("acme", true);

    accepted(submit.submit(BY, wanted, KEY));
  }

  @Test
  void keysThatAreBoundTogetherLeadToOneRun() {
    SubmitRun.Once first = submit.once(BY, request(), List.of(key("id 1"), key("body 1")));
    SubmitRun.Once sameId = submit.once(BY, request(), List.of(key("id 1"), key("body 2")));
    SubmitRun.Once sameBody = submit.once(BY, request(), List.of(key("id 2"), key("body 1")));
    SubmitRun.Once other = submit.once(BY, request(), List.of(key("id 3"), key("body 3")));

    assertFalse(first.repeated());
    assertTrue(sameId.repeated());
    assertTrue(sameBody.repeated());
    assertEquals(accepted(first.result()), accepted(sameId.result()));
    assertEquals(accepted(first.result()), accepted(sameBody.result()));
    assertFalse(other.repeated());
    assertEquals(2, log.streams().size());
  }

  @Test
  void aKeyThatWasBoundBeforeItsRunWasWrittenMakesTheRun() {
    String bound = ids.runId(clock.instant());
    keys.bind(new IdempotencyStore.Claim("acme", "id 1", "of id 1", bound, clock.instant()));

    SubmitRun.Once once = submit.once(BY, request(), List.of(key("id 1")));

    assertFalse(once.repeated());
    assertEquals(bound, accepted(once.result()).facts().run().runId());
  }

  private static SubmitRun.Key key(String value) {
    return new SubmitRun.Key(value, "of " + value);
  }

  private void left(String tenant, boolean kept) {
    LeftWorkspaces left = new LeftWorkspaces(artifacts);
    LeftWorkspace workspace =
        new LeftWorkspace(OTHER, 1, "attempt", "session", kept, 0, null, null);
    left.settle(new RunKey(tenant, OTHER), workspace, left.last(tenant, "session"));
  }

  private SubmitRun submit(RunQueue to) {
    return submit(runs, log, to);
  }

  private SubmitRun submit(RunLog in, EventLog kept, RunQueue to) {
    TurnOrder turns = MemoryPlaces.turns(kept, in, to, clock, ids);
    return new SubmitRun(
        in,
        kept,
        new SubmitRun.Admission(
            turns,
            new LeftFilesCheck(() -> artifacts),
            new RunAdmission(Quotas.NONE, new MemoryTenantUses(), clock)),
        keys,
        clock,
        ids);
  }

  private static RunState.Existing accepted(SubmitRun.Result result) {
    return assertInstanceOf(SubmitRun.Result.Accepted.class, result).run();
  }

  private static RunRequest request() {
    return SampleRequests.echo("");
  }
}
