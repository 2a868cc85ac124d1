package dev.runyard.bench.fairness;

import dev.runyard.core.application.StackTerms;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryPorts;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.submit.SubmitRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/// Runs of one tenant, and after a while one of another, on ports in memory whose clock is advanced
/// by a second at a time. Runners look into the queue every second, and a run takes as long as it
/// says. The use cases are those of a stack.
final class BusyTenant {
  static final int RUN_SECONDS = 20;
  private static final String BUSY = "busy";
  private static final String QUIET = "quiet";

  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final MemoryPorts ports = new MemoryPorts(new MemoryEventLog(), clock);
  private final RunLog runs;
  private final UseCases cases;
  private final SubmitRun submit;
  private final int places;
  private final Map<Ticket, Instant> working = new LinkedHashMap<>();
  private final List<RunKey> started = new ArrayList<>();
  private final Set<RunKey> open = new TreeSet<>((a, b) -> a.runId().compareTo(b.runId()));
  private int mostInQueue;

  /// @param places of all runners together
  BusyTenant(Quotas quotas, int places) {
    this.places = places;
    cases =
        new UseCases(ports, StackTerms.of(quotas), clock, new RandomIds(new Random(5)), "bench");
    runs = cases.runs();
    submit = cases.submitRun();
  }

  /// What became of the run of the other tenant.
  ///
  /// @param seconds it waited for its start
  /// @param before runs of the busy tenant that started while it waited
  /// @param queued most messages of the busy tenant there ever were
  record Waited(int seconds, int before, int queued) {}

  /// Submits many runs, lets the runners be busy for a minute, and submits one of another tenant.
  Waited play(int many) {
    for (int i = 0; i < many; i++) {
      clock.advance(Duration.ofMillis(1));
      submit(BUSY);
    }
    for (int i = 0; i < 60; i++) {
      second();
    }
    int before = started.size();
    RunKey run = submit(QUIET);
    int seconds = 0;
    while (!started.contains(run)) {
      second();
      seconds++;
    }
    return new Waited(seconds, started.indexOf(run) - before, mostInQueue);
  }

  /// Goes on until all runs have ended, and returns them in the order of their starts.
  List<RunKey> finish() {
    while (!open.isEmpty()) {
      second();
    }
    return List.copyOf(started);
  }

  private RunKey submit(String tenant) {
    RunRequest request =
        new RunRequest(
            "echo", "hi", "", Map.of(), List.of(), null, 60, Map.of(), Map.of(), RetryPolicy.NEVER);
    if (submit.submit(new SubmitRun.By(tenant, "bench"), request, Optional.empty())
        instanceof SubmitRun.Result.Accepted accepted) {
      RunKey run = accepted.run().facts().run();
      open.add(run);
      if (tenant.equals(BUSY)) {
        RunQueue.Depth depth = ports.queue().depth();
        mostInQueue = Math.max(mostInQueue, depth.waiting() + depth.inFlight());
      }
      return run;
    }
    throw new IllegalStateException("a run was refused");
  }

  private void second() {
    clock.advance(Duration.ofSeconds(1));
    Instant now = clock.instant();
    List<Ticket> over =
        working.entrySet().stream()
            .filter(work -> !work.getValue().isAfter(now))
            .map(Map.Entry::getKey)
            .toList();
    over.forEach(this::end);
    while (working.size() < places) {
      List<Ticket> tickets =
          ports.queue().receive(Math.min(RunQueue.RECEIVE_MAX, places - working.size()), 0);
      if (tickets.isEmpty()) {
        return;
      }
      tickets.forEach(this::begin);
    }
  }

  private void begin(Ticket ticket) {
    RunCommand claim =
        new RunCommand.Claim(attempt(ticket), "runner", ticket.id(), clock.instant());
    if (runs.execute(ticket.run(), claim) instanceof RunLog.Outcome.Done) {
      working.put(ticket, clock.instant().plusSeconds(RUN_SECONDS));
      started.add(ticket.run());
    } else {
      ports.queue().delete(ticket);
    }
  }

  private void end(Ticket ticket) {
    working.remove(ticket);
    runs.execute(
        ticket.run(),
        new RunCommand.Report(
            attempt(ticket),
            List.of(
                new RunEvent.ProcessCompleted("process", 0, null, 1),
                new RunEvent.AttemptCompleted(1, attempt(ticket)))));
    ports.queue().delete(ticket);
    cases.advanceRun().advance(ticket.run());
    open.remove(ticket.run());
  }

  private static String attempt(Ticket ticket) {
    return "attempt-" + ticket.id();
  }
}
