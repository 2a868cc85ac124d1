package dev.runyard.simulator;

import dev.runyard.core.fleet.RunnerFleet;
import dev.runyard.core.fleet.StartFailure;
import dev.runyard.core.fleet.StartFailure.Cause;
import dev.runyard.core.problem.PortUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// The service that starts runners. A start takes a while; it may fail at once, fail later, or lead
/// to a task that never comes up. What the service reports of its tasks is late.
final class SimulatedFleet implements RunnerFleet {
  private static final int COME_SECONDS_MAX = 40;
  private static final int FAIL_SECONDS_MAX = 60;
  private static final int UNSEEN_SECONDS_MAX = 50;
  private static final double UNANSWERED = 0.2;

  private final SimulatedSystem system;
  private final Random random;
  private final Map<String, StartedTask> byClaim = new HashMap<>();
  private final Map<String, StartedTask> byId = new LinkedHashMap<>();
  private final List<Trouble> troubles = new ArrayList<>();
  private final FleetOracle oracle;
  private Instant slowUntil = Instant.MIN;
  private BiFunction<String, StartedTask, RunnerActor> made =
      (_, _) -> {
        throw new IllegalStateException("no runner is started in this history");
      };

  /// Starts that all fail for one cause.
  record Trouble(Cause cause, Instant from, Instant to) {}

  SimulatedFleet(SimulatedSystem system, Random random) {
    this.system = system;
    this.random = random;
    this.oracle = new FleetOracle(system, this);
  }

  /// @param runners makes the runner of a task by its name
  void starts(BiFunction<String, StartedTask, RunnerActor> runners) {
    made = runners;
  }

  SimulatedSystem system() {
    return system;
  }

  Random random() {
    return random;
  }

  FleetOracle oracle() {
    return oracle;
  }

  RunnerActor runner(String task, StartedTask of) {
    return made.apply("runner-of-" + task, of);
  }

  /// All tasks, in the order of their start.
  List<StartedTask> tasks() {
    return List.copyOf(byId.values());
  }

  List<Trouble> troubles() {
    return troubles;
  }

  /// Starts fail for that long.
  void fails(Duration duration) {
    if (troubles.isEmpty() || troubles.getLast().to().isBefore(system.now())) {
      Cause[] causes = Cause.values();
      fails(causes[random.nextInt(causes.length)], duration);
    }
  }

  /// Starts fail for that cause for that long.
  void fails(Cause cause, Duration duration) {
    troubles.add(new Trouble(cause, system.now(), system.now().plus(duration)));
  }

  /// Starts are slow for that long.
  void slow(Duration duration) {
    slowUntil = system.now().plus(duration);
  }

  /// The faults are over.
  void recovers() {
    slowUntil = Instant.MIN;
    if (!troubles.isEmpty() && troubles.getLast().to().isAfter(system.now())) {
      Trouble last = troubles.removeLast();
      troubles.add(new Trouble(last.cause(), last.from(), system.now()));
    }
  }

  @Override
  public Start start(int slot, String claim) {
    boolean slow = system.now().isBefore(slowUntil);
    boolean answered = !slow || random.nextDouble() >= UNANSWERED;
    if (slow) {
      int most = 1000 * Port.FLEET.secondsMax();
      system.elapse(Duration.ofMillis(answered ? random.nextInt(most) : most));
    }
    if (!answered && random.nextBoolean()) {
      throw new PortUnavailable("simulated lost request");
    }
    Start start = known(slot, claim);
    if (!answered) {
      throw new PortUnavailable("simulated lost reply");
    }
    return start;
  }

  private Start known(int slot, String claim) {
    Instant now = system.now();
    Cause cause = cause(now);
    if (cause != null && refusesUnread(cause)) {
      return refused(cause, false);
    }
    StartedTask before = byClaim.get(claim);
    if (before != null) {
      return new Start.Started(before.id());
    }
    if (cause == Cause.NO_CAPACITY) {
      return refused(cause, true);
    }
    int there = (int) byId.values().stream().filter(StartedTask::offers).count();
    oracle.starts().started(now, there, system.runQueue().depth());
    String id = "task-" + (byId.size() + 1);
    StartedTask task = new StartedTask(this, id, slot, claim, fortune(cause, now));
    byClaim.put(claim, task);
    byId.put(id, task);
    system.timeline().add(task);
    return new Start.Started(id);
  }

  private Start refused(Cause cause, boolean none) {
    oracle.failed(cause, system.now());
    return new Start.Refused(new StartFailure(cause, "simulated"), none);
  }

  /// Why starts fail now; null if they succeed.
  private @Nullable Cause cause(Instant now) {
    return troubles.isEmpty() || !troubles.getLast().to().isAfter(now)
        ? null
        : troubles.getLast().cause();
  }

  /// True for a cause that refuses a start before it is looked whether it was requested before.
  private static boolean refusesUnread(Cause cause) {
    return switch (cause) {
      case QUOTA, THROTTLED, REFUSED, NO_ADDRESS -> true;
      case NO_CAPACITY,
          NO_IMAGE,
          PULL_FAILED,
          OUTDATED_RUNNER,
          NO_NETWORK,
          NO_ISOLATION,
          NO_ANSWER,
          STOPPED,
          NOT_READY ->
          false;
    };
  }

  /// What becomes of a task that starts now.
  private StartedTask.Fortune fortune(@Nullable Cause cause, Instant now) {
    Instant shown =
        system.faults().has(Fault.TASK_UNSEEN)
            ? now.plusSeconds(random.nextInt(UNSEEN_SECONDS_MAX))
            : now;
    if (cause == null) {
      return new StartedTask.Fortune(
          now.plusSeconds(1 + random.nextInt(COME_SECONDS_MAX)), shown, null);
    }
    oracle.failed(cause, now);
    boolean never = cause == Cause.NOT_READY || cause == Cause.NO_ANSWER;
    Instant ends = never ? Instant.MAX : now.plusSeconds(random.nextInt(FAIL_SECONDS_MAX));
    return new StartedTask.Fortune(ends, shown, new StartFailure(cause, "simulated"));
  }

  @Override
  public Map<String, Fate> look(List<String> tasks) {
    Map<String, Fate> fates = new HashMap<>();
    for (String id : tasks) {
      StartedTask task = byId.get(id);
      fates.put(id, task == null ? new Fate.Missing() : task.fate());
    }
    return Planted.fates(system, fates);
  }

  void comes(StartedTask task) {
    system.timeline().add(task.runner());
    oracle.working();
  }

  void gone(StartedTask task) {
    system.timeline().remove(task);
    system.timeline().remove(task.runner());
    system.timeline().remove(task.runner().background());
  }
}
