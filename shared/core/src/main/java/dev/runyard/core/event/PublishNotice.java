package dev.runyard.core.event;

import dev.runyard.core.problem.Failure;
import org.jspecify.annotations.Nullable;

/// What became of publishing what a run changed. It is a job beside the run: whether it succeeds
/// says nothing of the run.
public sealed interface PublishNotice extends ChangeNotice {
  /// The job that publishes.
  String JOB = "publish";

  /// It is published.
  ///
  /// @param of the run whose change it is
  /// @param commit its id, the same whenever that run is published
  /// @param pushed whether the branch is on the server
  /// @param pullRequest its number; absent if none was wanted
  /// @param url of the pull request
  @EventType("job.completed")
  record JobCompleted(
      String job,
      String of,
      String branch,
      String commit,
      boolean pushed,
      @Nullable Long pullRequest,
      @Nullable String url)
      implements PublishNotice {}

  /// It is not, or not all of it.
  ///
  /// @param of the run whose change it is
  @EventType("job.failed")
  record JobFailed(String job, String of, String branch, Failure error) implements PublishNotice {}
}
