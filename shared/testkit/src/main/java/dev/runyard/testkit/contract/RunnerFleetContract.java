package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.fleet.RunnerFleet;
import dev.runyard.core.fleet.RunnerFleet.Fate;
import dev.runyard.core.fleet.RunnerFleet.Start;
import dev.runyard.core.fleet.StartFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [RunnerFleet] promises.
public abstract class RunnerFleetContract {
  private RunnerFleet fleet;

  /// A fleet without runners.
  protected abstract RunnerFleet fleet();

  /// The runner `task` ends by itself, as one whose image cannot be pulled.
  protected abstract void stopWithoutImage(String task);

  /// Starts fail from now on because there is no capacity.
  protected abstract void exhaust();

  /// Starts are refused from now on, whatever was started before.
  protected abstract void forbid();

  @BeforeEach
  void open() {
    fleet = fleet();
  }

  @Test
  void startsOneRunnerForAClaimHoweverOftenItIsAskedFor() {
    String task = start(0, "claim");

    assertEquals(task, start(0, "claim"));
    assertEquals(Map.of(task, new Fate.Alive()), fleet.look(List.of(task)));
  }

  @Test
  void startsAnotherForAnotherClaim() {
    assertNotEquals(start(0, "one"), start(0, "two"));
    assertNotEquals(start(1, "three"), start(2, "four"));
  }

  @Test
  void reportsWhyATaskStopped() {
    String stopped = start(0, "one");
    String lives = start(1, "two");
    stopWithoutImage(stopped);

    Map<String, Fate> fates = fleet.look(List.of(stopped, lives));

    Fate.Stopped fate = assertInstanceOf(Fate.Stopped.class, fates.get(stopped));
    assertEquals(StartFailure.Cause.NO_IMAGE, fate.why().cause());
    assertEquals(new Fate.Alive(), fates.get(lives));
  }

  @Test
  void findsNoTaskThatWasNeverStarted() {
    String task = start(0, "one");

    assertEquals(
        Map.of(task, new Fate.Alive(), task + "0", new Fate.Missing()),
        fleet.look(List.of(task, task + "0")));
  }

  @Test
  void looksAtMoreTasksThanOneCallTakes() {
    List<String> tasks = new ArrayList<>();
    for (int i = 0; i < 130; i++) {
      tasks.add(start(i, "claim-" + i));
    }

    Map<String, Fate> fates = fleet.look(tasks);

    assertEquals(130, fates.size());
    tasks.forEach(task -> assertEquals(new Fate.Alive(), fates.get(task)));
  }

  @Test
  void saysThatThereIsNoCapacity() {
    exhaust();

    Start.Refused refused = assertInstanceOf(Start.Refused.class, fleet.start(0, "claim"));

    assertEquals(StartFailure.Cause.NO_CAPACITY, refused.failure().cause());
    assertTrue(refused.none());
  }

  @Test
  void namesTheRunnerOfAClaimThoughThereIsNoCapacity() {
    String task = start(0, "claim");
    exhaust();

    assertEquals(task, start(0, "claim"));
  }

  @Test
  void doesNotSayThatThereIsNoneWhereItRefusesWithoutALook() {
    start(0, "claim");
    forbid();

    Start.Refused refused = assertInstanceOf(Start.Refused.class, fleet.start(0, "claim"));

    assertEquals(StartFailure.Cause.REFUSED, refused.failure().cause());
    assertFalse(refused.none());
  }

  private String start(int slot, String claim) {
    return assertInstanceOf(Start.Started.class, fleet.start(slot, claim)).task();
  }
}
