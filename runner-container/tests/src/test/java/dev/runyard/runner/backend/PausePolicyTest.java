package dev.runyard.runner.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.runyard.core.attempt.AgentHandle.Pausable;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// When an agent that waits for a person may be ended, and what is then stored.
final class PausePolicyTest {
  private static final Failure NOT_KEPT = Failure.backend("not_kept", "It was not kept.");
  private static final Failure ENDED = Failure.backend("agent_killed", "Signal 15 ended it.");

  private final AgentOutput output = new AgentOutput(EventShaper.bare());
  private boolean resumable = true;
  private volatile Pausable files = Pausable.YES;
  private volatile CountDownLatch answers = new CountDownLatch(0);
  private Optional<Failure> failure = Optional.empty();
  private int kept;

  @Test
  void resumesAnAgentWhoseSessionAndFilesAreKept() throws Exception {
    AgentRun run = run(resumed());
    assertEquals(Pausable.NOT_YET, run.canPause().get());

    output.tell(new RunEvent.SessionUpdated("s-1"));

    assertEquals(Pausable.YES, run.canPause().get());
    resumable = false;
    assertEquals(Pausable.NO, run.canPause().get());
    resumable = true;
    files = Pausable.UNANSWERED;
    assertEquals(Pausable.UNANSWERED, run.canPause().get());
  }

  @Test
  void keepsNobodyWaitingWhileItIsFoundOutWhetherTheFilesCanBeKept() throws Exception {
    AgentRun run = run(resumed());
    output.tell(new RunEvent.SessionUpdated("s-1"));
    answers = new CountDownLatch(1);

    Future<Pausable> check = run.canPause();

    assertFalse(check.isDone());
    answers.countDown();
    assertEquals(Pausable.YES, check.get());
  }

  @Test
  void holdsThePlaceOfAnAgentWhoseFilesCannotBeKept() {
    assertEquals(
        new PausePolicy.HoldsPlace(), PausePolicy.resumed(Optional.empty(), () -> resumable));
    assertEquals(Pausable.NO, run(new PausePolicy.HoldsPlace()).canPause().resultNow());
    assertEquals(Pausable.YES, run(new PausePolicy.Replayed()).canPause().resultNow());
  }

  @Test
  void keepsTheFilesOfAPausedAgentOnce() {
    AgentRun run = run(resumed());
    run.pause();
    run.stop();
    assertEquals(Pausable.YES, run.canPause().resultNow());

    output.end(ended(Optional.of(ENDED)));
    output.end(ended(Optional.of(ENDED)));

    assertEquals(1, kept);
    assertEquals(List.of(ended(Optional.of(ENDED))), run.take(10));
  }

  @Test
  void reportsWhyTheFilesWereNotKept() {
    failure = Optional.of(NOT_KEPT);
    AgentRun run = run(resumed());
    run.pause();

    output.end(ended(Optional.of(ENDED)));

    assertEquals(List.of(ended(failure)), run.take(10));
  }

  @Test
  void keepsNothingOfAnAgentThatIsStoppedOrFinished() {
    AgentRun stopped = run(resumed());
    stopped.stop();
    stopped.pause();
    output.end(ended(Optional.of(ENDED)));

    AgentOutput other = new AgentOutput(EventShaper.bare());
    AgentRun finished = new AgentRun(other, AgentControl.withoutInput(other, () -> {}), resumed());
    finished.pause();
    other.end(ended(Optional.empty()));

    assertEquals(0, kept);
  }

  private AgentRun run(PausePolicy policy) {
    return new AgentRun(output, AgentControl.withoutInput(output, () -> {}), policy);
  }

  private PausePolicy resumed() {
    FileKeeping keeping =
        new FileKeeping() {
          @Override
          public Pausable canKeep() {
            try {
              answers.await();
            } catch (InterruptedException _) {
              Thread.currentThread().interrupt();
            }
            return files;
          }

          @Override
          public Optional<Failure> keep() {
            kept++;
            return failure;
          }
        };
    return PausePolicy.resumed(Optional.of(keeping), () -> resumable);
  }

  private static AgentSignal.Ended ended(Optional<Failure> failure) {
    return new AgentSignal.Ended(Optional.of(new Attempt.Exit(null, 15)), 1, failure, 0);
  }
}
