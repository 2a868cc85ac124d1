package dev.runyard.core.submit;

import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.request.PublishRequest;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.core.run.RunState;
import dev.runyard.core.run.RunStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Publishes what a run changed after it has ended: by another run, of the same agent kind and with
/// its grants, that starts no agent. So it has a queue, a runner, a lease and events as any other.
/// The same request finds the run it made before, unless that one failed.
public final class PublishRun {
  /// How often a request makes a new run while its key is remembered. After that, the answer is the
  /// last one.
  public static final int PUBLISH_TRIES_MAX = 20;

  /// Run time of such a run.
  static final int PUBLISH_SECONDS = 3600;

  /// The tag with the id of the run whose change it publishes.
  static final String TAG = "publishes";

  private final SubmitRun submit;
  private final RunLog runs;

  public PublishRun(SubmitRun submit, RunLog runs) {
    this.submit = submit;
    this.runs = runs;
  }

  /// Finds the run that publishes it, or makes one.
  ///
  /// @param by who wants it
  /// @param of the repository that was checked out, by the run or by one before it
  /// @param commit the one that was checked out
  /// @param fingerprint of the request
  public SubmitRun.Result publish(
      RunState.Closed run,
      Requester by,
      WorkspaceSource.Git of,
      String commit,
      PublishRequest how,
      String fingerprint) {
    RunKey key = run.facts().run();
    RunRequest request = request(run, WorkspaceRequest.of(of).at(commit), how);
    for (int tries = 1; ; tries++) {
      SubmitRun.Result result =
          submit.submit(
              new SubmitRun.By(key.tenant(), by),
              request,
              Optional.of(
                  new SubmitRun.Key(
                      "publish %s %d %s".formatted(key.runId(), tries, fingerprint), fingerprint)));
      if (!(result instanceof SubmitRun.Result.Accepted(RunState.Existing made, _))
          || tries == PUBLISH_TRIES_MAX) {
        return result;
      }
      if (runs.load(made.facts().run()) instanceof RunState.Existing now && !failed(now)) {
        return new SubmitRun.Result.Accepted(now);
      }
    }
  }

  private static boolean failed(RunState.Existing run) {
    return run instanceof RunState.Closed && run.status() != RunStatus.COMPLETED;
  }

  private static RunRequest request(RunState.Closed run, WorkspaceRequest of, PublishRequest how) {
    RunKey key = run.facts().run();
    return new RunRequest(
            run.facts().request().agent(),
            "Publish what run " + key.runId() + " changed.",
            "",
            Map.of(),
            List.of(),
            null,
            PUBLISH_SECONDS,
            Map.of(),
            Map.of(TAG, key.runId()),
            RetryPolicy.NEVER)
        .with(of.publishing(how.of(key)));
  }
}
