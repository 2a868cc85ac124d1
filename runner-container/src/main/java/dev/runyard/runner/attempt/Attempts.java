package dev.runyard.runner.attempt;

import dev.runyard.core.attempt.AttemptLoop;
import dev.runyard.core.attempt.AttemptPorts;
import dev.runyard.core.attempt.AttemptTiming;
import dev.runyard.core.attempt.RunnerShare;
import dev.runyard.core.attempt.Step;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.AppendNotices;
import dev.runyard.core.problem.LogAhead;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.run.RunState;
import dev.runyard.runner.backend.AgentRun;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Runs attempts to their end, each on the calling thread. Thread-safe.
public final class Attempts {
  static final int DRAIN_CHECK_MILLIS = 100;

  private final AttemptPorts ports;
  private final AppendNotices notices;
  private final RunnerShare share;
  private final AgentSetup setup;
  private final AttemptTiming timing;
  private final RunnerIdentity runner;
  private final InstantSource clock;
  private final Set<String> looked = ConcurrentHashMap.newKeySet();
  private volatile boolean draining;

  public Attempts(
      AttemptPorts ports,
      AppendNotices notices,
      AgentSetup setup,
      AttemptTiming timing,
      RunnerIdentity runner,
      InstantSource clock) {
    this.ports = ports;
    this.notices = notices;
    this.share = RunnerShare.of(runner.name(), timing);
    this.setup = setup;
    this.timing = timing;
    this.runner = runner;
    this.clock = clock;
  }

  /// Ends every agent; their attempts write the rest.
  public void drain() {
    draining = true;
  }

  /// How many runs are worked on whose messages the queue no longer has.
  public int unqueued() {
    return share.unqueued();
  }

  /// How many runs are worked on whose messages the queue has.
  public int queued() {
    return share.queued();
  }

  /// Works on a message's run until the attempt is over.
  public Step.Verdict work(Ticket ticket) throws InterruptedException {
    String tenant = ticket.run().tenant();
    if (looked.add(tenant)) {
      removeLeft(tenant);
    }
    PreparedAgents agents = new PreparedAgents(setup);
    AttemptLoop loop =
        new AttemptLoop(ports, share, agents, timing, runner.claim(ticket), clock.instant());
    NewestAppend newest = new NewestAppend();
    boolean over = false;
    try (AppendNotices.Listening _ = notices.listen(ticket.run(), newest::appended)) {
      Step.Verdict verdict = advance(loop, agents, newest);
      over = verdict == Step.Verdict.ENDED;
      setup
          .log()
          .info("attempt_over", Map.of("run_id", ticket.run().runId(), "verdict", verdict.name()));
      return verdict;
    } finally {
      loop.release();
      agents.tidy(over);
    }
  }

  /// Removes what runners left that died once the end of a run was in the log, so that no attempt
  /// takes its place. A folder names its run and not whose it is, so each tenant's first attempt
  /// looks. Once is enough: who dies later is replaced by a runner that looks again.
  private void removeLeft(String tenant) {
    Thread.ofPlatform()
        .daemon()
        .name("left-folders")
        .start(
            () ->
                new LeftFolders(setup.folders(), setup.log())
                    .ofRuns(run -> RunKey.isRunId(run) && isOver(new RunKey(tenant, run))));
  }

  /// A long log is read in several loads.
  private boolean isOver(RunKey run) {
    while (true) {
      try {
        return ports.runs().load(run) instanceof RunState.Closed;
      } catch (LogAhead _) {
        // The next load reads on.
      }
    }
  }

  private Step.Verdict advance(AttemptLoop loop, PreparedAgents agents, NewestAppend newest)
      throws InterruptedException {
    while (true) {
      long told = newest.sequence();
      loop.appended(told);
      if (draining) {
        loop.drain();
      }
      switch (loop.step(clock.instant())) {
        case Step.Over over -> {
          return over.verdict();
        }
        case Step.Again again -> {
          agents.run().ifPresent(newest::agent);
          await(again.notAfter(), agents.run(), () -> newest.sequence() > told);
        }
        case Step.Pause pause -> await(pause.until(), Optional.empty(), () -> false);
      }
    }
  }

  /// Waits for the agent, for news or for the time, and checks at least every [#DRAIN_CHECK_MILLIS]
  /// whether the runner stops.
  private void await(Instant until, Optional<AgentRun> agent, BooleanSupplier news)
      throws InterruptedException {
    Duration wait = Duration.between(clock.instant(), until);
    if (!wait.isPositive()) {
      return;
    }
    Duration bounded =
        wait.toMillis() > DRAIN_CHECK_MILLIS ? Duration.ofMillis(DRAIN_CHECK_MILLIS) : wait;
    if (agent.isPresent()) {
      agent.get().awaitSignal(bounded, news);
    } else {
      LockSupport.parkNanos(bounded.toNanos());
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }
}
