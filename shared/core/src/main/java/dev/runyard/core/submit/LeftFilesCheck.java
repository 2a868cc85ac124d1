package dev.runyard.core.submit;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.LeftWorkspace;
import dev.runyard.core.artifact.LeftWorkspaces;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import java.util.Optional;
import java.util.function.Supplier;

/// Refuses a run that is to begin with the files of another one, if that has left none.
///
/// @param artifacts have the files; asked for only where a request names some
public record LeftFilesCheck(Supplier<ArtifactStore> artifacts) implements SubmitRun.Check {
  @Override
  public Optional<Problem> refusal(String tenant, RunRequest request) {
    WorkspaceRequest workspace = request.workspace();
    if (workspace == null
        || !(workspace.source() instanceof WorkspaceSource.Run(String other))
        || new LeftWorkspaces(artifacts.get())
            .of(new RunKey(tenant, other))
            .filter(LeftWorkspace::kept)
            .isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        Problem.at(
            ProblemCode.WORKSPACE_NOT_FOUND,
            "/workspace/run",
            "This run has left no files, or they are not kept any more. A run leaves files when it"
                + " has ended and had a workspace."));
  }
}
