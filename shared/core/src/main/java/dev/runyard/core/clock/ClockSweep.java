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

  /// One sweep. The failures are those of single runs; they come again with the next sweep.
  public List<RunFailure> sweep() {
    List<RunFailure> failures = new ArrayList<>();
    drain(deadLetters, failures, this::abandon);
    drain(parked, failures, this::moveOn);
    for (int shard = 0; shard < ReadModels.DUE_SHARDS; shard++) {
      for (RunKey run : models.due(shard, clock.instant(), DUE_MAX)) {
        attempt(run, failures, this::moveOn);
      }
    }
    scale.scale("clock-" + clock.instant().getEpochSecond());
    return failures;
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

  private static void drain(RunQueue queue, List<RunFailure> failures, Consumer<RunKey> action) {
    int seen = 0;
    List<Ticket> tickets = queue.receive(RunQueue.RECEIVE_MAX, 0);
    while (!tickets.isEmpty() && seen < MESSAGES_MAX) {
      for (Ticket ticket : tickets) {
        seen++;
        if (attempt(ticket.run(), failures, action)) {
          queue.delete(ticket);
        }
      }
      tickets = queue.receive(RunQueue.RECEIVE_MAX, 0);
    }
  }

  private static boolean attempt(RunKey run, List<RunFailure> failures, Consumer<RunKey> action) {
    try {
      action.accept(run);
      return true;
    } catch (RuntimeException e) {
      failures.add(new RunFailure(run, e));
      return false;
    }
  }

  /// A run the sweep could not handle, and why.
  public record RunFailure(RunKey run, RuntimeException cause) {}
}
