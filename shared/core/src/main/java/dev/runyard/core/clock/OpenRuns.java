package dev.runyard.core.clock;

import dev.runyard.core.drive.DriveRun;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunKey;
import dev.runyard.core.run.RunState;
import dev.runyard.core.view.ReadModels;
import java.time.Instant;
import java.util.List;

/// The open runs, and how `clock` moves one on: what `drive` and `project` would have done, with
/// one look at its log.
public final class OpenRuns {
  private final ReadModels models;
  private final DriveRun drive;

  public OpenRuns(ReadModels models, DriveRun drive) {
    this.models = models;
    this.drive = drive;
  }

  /// Runs of a shard whose next own move is due, earliest first.
  List<RunKey> due(int shard, Instant now, int limit) {
    return models.due(shard, now, limit);
  }

  void moveOn(RunKey run) {
    save(drive.drive(run));
  }

  void undelivered(RunKey run) {
    save(drive.undelivered(run));
  }

  void block(RunKey run, RunCommand.Block block) {
    save(drive.block(run, block));
  }

  private void save(RunState state) {
    if (state instanceof RunState.Existing run) {
      models.save(run);
    }
  }
}
