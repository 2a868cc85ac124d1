package dev.runyard.simulator;

import dev.runyard.core.artifact.StoredOutput;
import dev.runyard.core.attempt.AgentHandle.Pausable;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.PortUnavailable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/// What an agent that was started finds at its simulated runner.
final class SimulatedPlace implements AgentSite {
  private static final Failure NOT_KEPT =
      new Failure(Failure.WORKSPACE_NOT_KEPT, Category.CAPACITY, "The files could not be kept.");

  private final Machine machine;
  private final SimulatedStart start;
  private final boolean replayPauses;

  SimulatedPlace(SimulatedStart start) {
    this.machine = start.machine();
    this.start = start;
    this.replayPauses = machine.random().nextInt(4) > 0;
  }

  @Override
  public AgentMode mode() {
    return start.mode();
  }

  @Override
  public AgentFiles files() {
    return start.files();
  }

  @Override
  public Optional<RunEvent> warning() {
    return start.warning();
  }

  @Override
  public Future<RunEvent> spill(int index) {
    String id = "out%d-%s".formatted(index, start.attempt().id());
    byte[] content = id.getBytes(StandardCharsets.UTF_8);
    RunEvent kept =
        new RunEvent.OutputSpilled(
            id,
            "call-" + index,
            content.length,
            HexFormat.of().formatHex(Digest.of(content)),
            StoredOutput.CONTENT_TYPE);
    Future<RunEvent> told =
        machine.beside(
            Duration.ZERO,
            () -> {
              try {
                machine.bucket().put(new StoredOutput(start.run(), id).key(), content);
                return kept;
              } catch (PortUnavailable _) {
                return new RunEvent.OutputTruncated("tool output", content.length, 0);
              }
            });
    return machine.system().has(Defect.OUTPUT_TOLD_BEFORE_KEPT)
        ? CompletableFuture.completedFuture(kept)
        : told;
  }

  @Override
  public Future<Pausable> canPause() {
    return switch (start.mode()) {
      case REPLAYED -> CompletableFuture.completedFuture(replayPauses ? Pausable.YES : Pausable.NO);
      case RESUMED -> machine.beside(Duration.ZERO, this::canKeep);
      case STAYS -> CompletableFuture.completedFuture(Pausable.NO);
    };
  }

  private Pausable canKeep() {
    return machine.paused().begin(start.run(), start.attempt().number())
        ? Pausable.YES
        : Pausable.UNANSWERED;
  }

  @Override
  public Future<Optional<Failure>> keepFiles() {
    if (start.mode() != AgentMode.RESUMED) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    return machine.beside(
        Duration.ZERO,
        () ->
            machine
                    .paused()
                    .keep(
                        start.run(),
                        start.attempt().number(),
                        start.workspace(),
                        start.files()::pack,
                        () -> {})
                ? Optional.empty()
                : Optional.of(NOT_KEPT));
  }
}
