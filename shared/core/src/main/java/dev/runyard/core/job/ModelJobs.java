package dev.runyard.core.job;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.Snapshots;
import java.util.Optional;

/// The read models as the place where a fold of a job starts. Only [ProjectJob] saves snapshots,
/// since it first writes the rows that belong to one.
public record ModelJobs(JobModels models) implements Snapshots<JobState> {
  @Override
  public Optional<JobState> latest(StreamKey key) {
    return models.snapshot((JobKey) key).map(there -> there);
  }
}
