package dev.runyard.core.job;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.Snapshots;
import java.util.Optional;

/// The read models as the place where a fold of a job starts.
public record ModelJobs(JobModels models) implements Snapshots<JobState> {
  @Override
  public Optional<JobState> latest(StreamKey key) {
    return models.snapshot((JobKey) key).map(there -> there);
  }

  @Override
  public boolean keep(JobState state) {
    return switch (state) {
      case JobState.Absent _ -> false;
      case JobState.Existing job -> {
        models.save(job);
        yield true;
      }
    };
  }
}
