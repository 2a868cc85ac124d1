package dev.runyard.embedded;

import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.JobModels;
import dev.runyard.core.job.JobState;
import java.time.Duration;
import java.time.InstantSource;

/// Snapshots of jobs as a table.
final class SqliteJobModels extends SqliteModels<JobKey, JobState.Existing> implements JobModels {
  SqliteJobModels(StoreDatabase database, Duration retention, InstantSource clock) {
    super(KIND, database, retention, clock);
  }
}
