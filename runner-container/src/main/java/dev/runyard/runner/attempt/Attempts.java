package dev.runyard.runner.attempt;

import dev.runyard.core.attempt.AttemptLoop;
import dev.runyard.core.attempt.AttemptTiming;
import dev.runyard.core.attempt.Step;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import dev.runyard.runner.backend.AgentRun;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/// Runs attempts to their end, each on the calling thread. Thread-safe.
public final class Attempts {
  static final int DRAIN_CHECK_MILLIS = 100;

  private final RunLog runs;
  private final RunQueue queue;
  private final AgentSetup setup;
  private final AttemptTiming timing;
  private final RunnerIdentity runner;
  private final InstantSource clock;
  private volatile boolean draining;

  public Attempts(
      RunLog runs,
      RunQueue queue,
      AgentSetup setup,
      AttemptTiming timing,
      RunnerIdentity runner,
      InstantSource clock) {
    this.runs = runs;
    this.queue = queue;
    this.setup = setup;
    this.timing = timing;
    this.runner = runner;
    this.clock = clock;
  }

  /// Ends every agent; their attempts write the rest.
  public void drain() {
    draining = true;
  }

  /// Works on a message's run until the attempt is over.
  public Step.Verdict work(Ticket ticket) throws InterruptedException {
    PreparedAgents agents = new PreparedAgents(setup);
    AttemptLoop loop =
        new AttemptLoop(runs, queue, agents, timing, runner.claim(ticket), clock.instant());
    boolean over = false;
    try {
      Step.Verdict verdict = advance(loop, agents);
      over = verdict == Step.Verdict.ENDED;
      setup
          .log()
          .info("attempt_over", Map.of("run_id", ticket.run().runId(), "verdict", verdict.name()));
      return verdict;
    } finally {
      agents.tidy(over);
    }
  }

  private Step.Verdict advance(AttemptLoop loop, PreparedAgents agents)
      throws InterruptedException {
    while (true) {
      if (draining) {
        loop.drain();
      }
      switch (loop.step(clock.instant())) {
        case Step.Over over -> {
          return over.verdict();
        }
        case Step.Again again -> await(again.notAfter(), agents.run());
        case Step.Pause pause -> await(pause.until(), Optional.empty());
      }
    }
  }

  /// Waits for the agent or for the time, and checks at least every [#DRAIN_CHECK_MILLIS] whether
  /// the runner stops.
  private void await(Instant until, Optional<AgentRun> agent) throws InterruptedException {
    Duration wait = Duration.between(clock.instant(), until);
    if (!wait.isPositive()) {
      return;
    }
    Duration bounded =
        wait.toMillis() > DRAIN_CHECK_MILLIS ? Duration.ofMillis(DRAIN_CHECK_MILLIS) : wait;
    if (agent.isPresent()) {
      agent.get().awaitSignal(bounded);
    } else {
      LockSupport.parkNanos(bounded.toNanos());
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }
}
