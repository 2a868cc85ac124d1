package dev.runyard.core.advance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.fleet.FleetSize;
import dev.runyard.core.fleet.ScaleRunners;
import dev.runyard.core.fleet.StartFailure;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RetryPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class AdvanceRunsTest extends AdvanceRig {
  private final List<RuntimeException> failures = new ArrayList<>();
  private final ScaleRunners scale = cases.scaleRunners(new FleetSize(0, 9, 1), _ -> {});
  private final AdvanceRuns batch = new AdvanceRuns(advance, scale, clock, failures::add);

  /// Their messages may not be in the queue yet.
  @Test
  void startsARunnerForEachRunThatWaitsForItsFirst() {
    RunKey one = submitted("");
    RunKey two = submitted("");
    ports.queue().receive(2, 0).forEach(ports.queue()::delete);

    assertEquals("done", handled(one, two));

    assertEquals(List.of(0, 1), ports.fleet().started());
  }

  /// Its runner is there and takes its message.
  @Test
  void countsARetryByItsMessageAlone() {
    RunKey run = claimed(new RetryPolicy(2, List.of("*"), 0));
    ports.queue().receive(1, 0).forEach(ports.queue()::delete);
    report(run, new RunEvent.AttemptFailed(1, "attempt-1", Failure.backend("broke", "It broke.")));

    handled(run);

    assertEquals(1, ports.queue().depth().waiting());
    assertEquals(List.of(0), ports.fleet().started());
  }

  @Test
  void startsNothingWhereNoRunWaits() {
    submitted("");
    RunKey claimed = claimed(RetryPolicy.NEVER);

    handled(claimed);

    assertEquals(List.of(), ports.fleet().started());
  }

  @Test
  void tellsTheRunsOfTheBatchWhyNoRunnerStarts() {
    RunKey run = submitted("");
    RunKey claimed = claimed(RetryPolicy.NEVER);
    ports
        .fleet()
        .refuse(Optional.of(new StartFailure(StartFailure.Cause.NO_IMAGE, "no such image")));

    handled(run, claimed);

    assertEquals("no_image", state(run).blocked().orElseThrow().cause());
    assertEquals(Optional.empty(), state(claimed).blocked());
    assertEquals(List.of(), failures);
  }

  /// A call for each submit would be more than the service answers; `sweep` asks once a minute.
  @Test
  void asksForNoTask() {
    handled(submitted(""));
    ports.fleet().stop("task-1", new StartFailure(StartFailure.Cause.STOPPED, "exit 1"));

    handled(submitted(""));
    assertEquals(List.of(0, 1), ports.fleet().started());

    assertEquals("stopped", scale.scale(clock, 0).orElseThrow().cause());
    assertEquals(List.of(0, 1, 0), ports.fleet().started());
  }

  @Test
  void advancesRunsThoughNoRunnerCanBeAskedFor() {
    RunKey run = submitted("");
    ports.slots().down(true);

    assertEquals("done", handled(run));

    assertEquals(1, failures.size());
    assertEquals("no answer", failures.getFirst().getMessage());
  }

  private String handled(RunKey... all) {
    return batch.handle(
        action -> {
          List.of(all).forEach(action);
          return "done";
        });
  }
}
