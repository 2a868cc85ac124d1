package dev.runyard.simulator;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.job.ItemRow;
import dev.runyard.core.job.JobEvent;
import dev.runyard.core.job.JobFold;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.JobPorts;
import dev.runyard.core.job.JobState;
import dev.runyard.core.job.StoredJobEvent;
import dev.runyard.core.run.RunState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Asks whether the logs of jobs are right. J1: each item ends once an attempt, as its run did, and
/// counts add up. J2: never more run than may. J3: nothing starts after the intent to stop.
final class JobOracle {
  private final SimulatedSystem system;
  private final SimulatedLog log;
  private final Map<String, Integer> asked;
  private final boolean finished;
  private final List<Violation> violations = new ArrayList<>();

  private JobOracle(SimulatedSystem system, Map<String, Integer> asked, RightsOracle rights) {
    this.system = system;
    this.finished = rights.finishes(Right.Need.JOBS);
    this.asked = asked;
    this.log = system.log();
  }

  /// @param asked how many items of a job may run at once
  static List<Violation> check(
      SimulatedSystem system, Map<String, Integer> asked, RightsOracle rights) {
    JobOracle oracle = new JobOracle(system, asked, rights);
    oracle.log.jobs().forEach(oracle::job);
    return List.copyOf(oracle.violations);
  }

  /// True for a job whose runs are ended by it.
  static boolean stops(SimulatedLog log, JobKey job) {
    return log.events(job).stream()
        .anyMatch(stored -> stored.event() instanceof JobEvent.StopRequested);
  }

  private void job(JobKey job) {
    List<StoredJobEvent> events = log.events(job);
    try {
      JobState state = JobState.absent();
      for (StoredJobEvent stored : events) {
        state = JobFold.evolve(state, stored);
      }
      if (state instanceof JobState.Closed closed) {
        starts(events);
        ended(closed, ends(events));
        if (finished) {
          stored(closed);
        }
      } else {
        expect(!finished, "J1", "%s never ended: %s", job, state.phase());
      }
    } catch (IllegalStateException e) {
      broken("J1", "%s does not fold: %s", job, String.valueOf(e.getMessage()));
    }
  }

  /// What starts is not more than may, is not too late, and becomes a run.
  private void starts(List<StoredJobEvent> events) {
    int most = asked.getOrDefault(events.getFirst().key().jobId(), 0);
    Set<String> running = new HashSet<>();
    boolean stopping = false;
    for (StoredJobEvent stored : events) {
      stopping |= stored.event() instanceof JobEvent.StopRequested;
      if (stored.event() instanceof JobEvent.ItemStarted started) {
        running.add(started.runId());
        expect(running.size() <= most, "J2", "%d items run of %d", running.size(), most);
        expect(!stopping, "J3", "item %d starts after the stop", started.item());
      } else if (stored.event() instanceof JobEvent.ItemEnded ended) {
        running.remove(ended.runId());
      }
    }
  }

  /// The last end of each item, and how often each of its runs ended.
  private Map<Integer, JobEvent.ItemEnded> ends(List<StoredJobEvent> events) {
    Map<Integer, JobEvent.ItemEnded> last = new HashMap<>();
    Map<String, Integer> ends = new HashMap<>();
    for (StoredJobEvent stored : events) {
      if (stored.event() instanceof JobEvent.ItemStarted started) {
        expect(
            ends.put(started.item() + "." + started.attempt(), 0) == null,
            "J1",
            "attempt %d of item %d starts twice",
            started.attempt(),
            started.item());
      } else if (stored.event() instanceof JobEvent.ItemEnded ended) {
        ends.merge(ended.item() + "." + ended.attempt(), 1, Integer::sum);
        last.put(ended.item(), ended);
        asItsRun(stored, ended);
      }
    }
    ends.forEach((attempt, count) -> expect(count == 1, "J1", "%s ended %d times", attempt, count));
    return last;
  }

  private void asItsRun(StoredJobEvent stored, JobEvent.ItemEnded ended) {
    RunKey run = new RunKey(stored.key().tenant(), ended.runId());
    Optional<RunState.Existing> model =
        log.runs().contains(run) ? system.models().snapshot(run) : Optional.empty();
    expect(model.isPresent(), "J1", "item %d ended without its run %s", ended.item(), run);
    model.ifPresent(
        state -> {
          expect(
              state instanceof RunState.Completed == ended instanceof JobEvent.ItemCompleted,
              "J1",
              "item %d ended otherwise than its run, which is %s",
              ended.item(),
              state.phase());
          expect(
              state instanceof RunState.Closed closed
                  && !closed.finishedAt().isAfter(stored.timestamp().plus(system.skewMax())),
              "J1",
              "item %d ended before its run",
              ended.item());
        });
  }

  private void ended(JobState.Closed job, Map<Integer, JobEvent.ItemEnded> ends) {
    var items = job.facts().items();
    long completed =
        ends.values().stream().filter(JobEvent.ItemCompleted.class::isInstance).count();
    expect(
        items.completed() == completed
            && items.failed().size() + items.reported().size() + items.retrying().size()
                == ends.size() - completed
            && items.next() - 1 == ends.size(),
        "J1",
        "the counts of %s do not add up: %s",
        job.facts().job(),
        items.counts());
  }

  /// What readers see is what the log says.
  private void stored(JobState.Closed job) {
    JobPorts ports = system.jobs();
    JobKey key = job.facts().job();
    expect(
        ports.models().snapshot(key).filter(JobState::closed).isPresent(),
        "J1",
        "the snapshot of %s is behind",
        key);
    for (int item = 1; item < job.facts().items().next(); item++) {
      int attempts = job.facts().items().attempts(item);
      Optional<ItemRow> row = ports.items().row(key, item);
      expect(
          row.filter(there -> there.attempt() == attempts).isPresent(),
          "J1",
          "the row of item %d is behind: %s",
          item,
          row);
    }
  }

  private void broken(String invariant, String detail, Object... values) {
    violations.add(new Violation(invariant, detail.formatted(values)));
  }

  private void expect(boolean holds, String invariant, String detail, Object... values) {
    if (!holds) {
      broken(invariant, detail, values);
    }
  }
}
