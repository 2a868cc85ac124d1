package dev.runyard.core.clock;

import dev.runyard.core.drive.DriveRun;
import dev.runyard.core.fleet.ScaleRunners;
import dev.runyard.core.project.ProjectRun;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.run.RunKey;
import dev.runyard.core.view.ReadModels;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// What must happen without anybody's doing: deadlines, messages that were lost, runs whose
/// messages nobody could finish, and stream records nobody could handle. One run that cannot be
/// handled holds up no other.
public final class ClockSweep {
  static final int DUE_MAX = 500;
  static final int MESSAGES_MAX = 500;

  private final ReadModels models;
  private final DriveRun drive;
  private final ProjectRun project;
  private final RunQueue deadLetters;
  private final RunQueue parked;
  private final ScaleRunners scale;
  private final InstantSource clock;

  public ClockSweep(
      ReadModels models,
      DriveRun drive,
      ProjectRun project,
      RunQueue deadLetters,
      RunQueue parked,
      ScaleRunners scale,
      InstantSource clock) {
    this.models = models;
    this.drive = drive;
    this.project = project;
    this.deadLetters = deadLetters;
    this.parked = parked;
    this.scale = scale;
    this.clock = clock;
  }

  /// One sweep. What failed is tried again with the next sweep.
  public List<SweepFailure> sweep() {
    List<SweepFailure> failures = new ArrayList<>();
    guard("dead letters", failures, () -> drain(deadLetters, failures, this::abandon));
    guard("parked runs", failures, () -> drain(parked, failures, this::moveOn));
    for (int shard = 0; shard < ReadModels.DUE_SHARDS; shard++) {
      int of = shard;
      guard("due runs", failures, () -> due(of, failures));
    }
    guard("runners", failures, () -> scale.scale("clock-" + clock.instant().getEpochSecond(), 0));
    return failures;
  }

  private void due(int shard, List<SweepFailure> failures) {
    for (RunKey run : models.due(shard, clock.instant(), DUE_MAX)) {
      guard(run.partition(), failures, () -> moveOn(run));
    }
  }

  private void moveOn(RunKey run) {
    drive.drive(run);
    project.project(run);
  }

  private void abandon(RunKey run) {
    drive.abandon(
        run,
        "The run was handed to a runner several times and never finished. Look at the runner's log,"
            + " then submit again.");
    project.project(run);
  }

  private static void drain(RunQueue queue, List<SweepFailure> failures, Consumer<RunKey> action) {
    int seen = 0;
    List<Ticket> tickets = queue.receive(RunQueue.RECEIVE_MAX, 0);
    while (!tickets.isEmpty() && seen < MESSAGES_MAX) {
      for (Ticket ticket : tickets) {
        seen++;
        guard(
            ticket.run().partition(),
            failures,
            () -> {
              action.accept(ticket.run());
              queue.delete(ticket);
            });
      }
      tickets = queue.receive(RunQueue.RECEIVE_MAX, 0);
    }
  }

  private static void guard(String subject, List<SweepFailure> failures, Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      failures.add(new SweepFailure(subject, e));
    }
  }

  /// What the sweep could not handle, and why.
  public record SweepFailure(String subject, RuntimeException cause) {}
}
