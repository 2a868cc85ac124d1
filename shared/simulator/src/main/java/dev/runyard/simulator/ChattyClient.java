package dev.runyard.simulator;

import dev.runyard.core.application.UseCases;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.PortUnavailable;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// A client that says something new to a run every few seconds, whether or not a runner lives that
/// could hear it, and turns to another run when that one has ended.
final class ChattyClient implements Actor {
  private static final int MESSAGES_MAX = 60;
  private static final int FUNCTION_SECONDS = 15;
  private static final int PAUSE_MILLIS_MIN = 4_000;
  private static final int PAUSE_MILLIS_MAX = 18_000;

  private final SimulatedCaller caller = new SimulatedCaller(Role.API, FUNCTION_SECONDS);
  private final SimulatedSystem system;
  private final Talk talk;
  private final Promises promises;
  private final Random random;
  private @Nullable RunKey to;
  private int said;
  private Instant next;

  ChattyClient(SimulatedSystem system, Promises promises, Random random) {
    this.system = system;
    this.promises = promises;
    this.random = random;
    this.next = system.now();
    UseCases api = system.useCases(system.ports(caller), system.skewed(), "api");
    this.talk = Talk.of(api, promises, random);
  }

  @Override
  public SimulatedCaller caller() {
    return caller;
  }

  @Override
  public Instant nextAt() {
    return said < MESSAGES_MAX ? next : Instant.MAX;
  }

  @Override
  public void act() {
    next = system.now().plusMillis(random.nextInt(PAUSE_MILLIS_MIN, PAUSE_MILLIS_MAX));
    RunKey run = to == null ? someRun() : to;
    to = run;
    said++;
    if (run == null) {
      return;
    }
    try {
      to = talk.say(run, run.runId() + "/chat-" + said) ? run : null;
    } catch (PortUnavailable _) {
      system.alarms().raise(Alarms.Alarm.SERVER_ERRORS);
    }
  }

  private @Nullable RunKey someRun() {
    List<RunKey> runs =
        promises.acknowledged.keySet().stream()
            .sorted(Comparator.comparing(RunKey::runId))
            .toList();
    return runs.isEmpty() ? null : runs.get(random.nextInt(runs.size()));
  }

  @Override
  public void crashed() {}
}
