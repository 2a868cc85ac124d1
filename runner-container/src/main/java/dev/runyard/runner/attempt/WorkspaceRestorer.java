package dev.runyard.runner.attempt;

import dev.runyard.core.artifact.PausedWorkspaces;
import dev.runyard.core.attempt.AgentHandle;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.FileKeeping;
import dev.runyard.runner.backend.Redaction;
import dev.runyard.runner.paused.PausedFiles;
import dev.runyard.runner.process.RunMark;
import dev.runyard.runner.workspace.StoredFiles;
import dev.runyard.runner.workspace.Workspace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The workspace of one attempt, for an agent with sessions: the one that a paused attempt left if
/// the run continues, else a new one. It is stored when this attempt is paused.
///
/// An attempt that continues finds all of it or fails: an agent that continued without its files,
/// or began again without them, would silently do harm.
final class WorkspaceRestorer {
  static final Failure LOST =
      new Failure(
          Failure.RUNNER_LOST,
          Category.INTERNAL,
          "The runner was lost while the run waited, and with it what the agent had worked on."
              + " Check what the agent had done, then submit again.");

  static final Failure UNREACHABLE =
      new Failure(
          "workspace_unavailable",
          Category.CAPACITY,
          "The files the run had worked on could not be read. Submit again in a while.");

  static final Failure GONE =
      new Failure(
          "workspace_lost",
          Category.INTERNAL,
          "The files the run had worked on are gone. Check what the agent had done, then submit"
              + " again.");

  static final Failure NOT_KEPT =
      new Failure(
          Failure.WORKSPACE_NOT_KEPT,
          Category.CAPACITY,
          "The files the agent worked on could not be kept when it was to wait. Check what the"
              + " agent had done, then submit again.");

  static final String REDACTED = "workspace_redacted";

  private final PausedWorkspaces paused;
  private final PausedFiles stored;
  private final RunKey run;
  private final Attempt attempt;
  private final Path root;
  private final Redaction redaction;
  private volatile PausedWorkspaces.Found.@Nullable Workspace left;
  private volatile boolean took;

  /// @param stored keeps the files that `paused` leads to
  /// @param root the folder of all workspaces
  /// @param redaction knows what must not be stored
  WorkspaceRestorer(
      PausedWorkspaces paused,
      PausedFiles stored,
      Attempt attempt,
      Path root,
      Redaction redaction) {
    this.redaction = redaction;
    this.paused = paused;
    this.stored = stored;
    this.run = stored.run();
    this.attempt = attempt;
    this.root = root;
  }

  /// Creates or restores the workspace, and changes nothing that another attempt may continue with.
  Prepared<RunFiles> begin() throws IOException {
    return attempt.continuation()
        ? goOn()
        : new Prepared.Ready<>(RunFiles.none(root, new RunMark(run.runId(), attempt.id())));
  }

  /// Says so if the files are not as the earlier attempt left them.
  Optional<RunEvent> warning() {
    PausedWorkspaces.Found.Workspace old = left;
    return old == null || old.kept().changed() == 0
        ? Optional.empty()
        : Optional.of(
            new RunEvent.RuntimeWarning(
                REDACTED,
                "%d files of the workspace contained secrets when the run was paused. They have *"
                        .formatted(old.kept().changed())
                    + " in place of each, or are gone if their names did, and are left out of the"
                    + " run's changes."));
  }

  /// Records that the attempt begins: what was stored before is outdated from now on. A run's first
  /// attempt has nothing before it.
  Optional<Failure> take() {
    if (attempt.number() > 1 && !paused.begin(run, attempt.number())) {
      return Optional.of(UNREACHABLE);
    }
    took = true;
    return Optional.empty();
  }

  /// Records that the attempt did not begin after all: the next one continues where this one would
  /// have.
  void giveBack() {
    took = false;
    if (attempt.number() > 1) {
      paused.giveBack(run, attempt.number());
    }
  }

  /// The attempt has ended: removes what it continued with, if anything.
  void forget() {
    PausedWorkspaces.Found.Workspace old = left;
    if (took && old != null) {
      paused.forget(run, old);
      stored.forget();
    }
  }

  private Prepared<RunFiles> goOn() throws IOException {
    return switch (paused.find(run, attempt.number())) {
      case PausedWorkspaces.Found.Nothing _ -> new Prepared.Refused<>(LOST);
      case PausedWorkspaces.Found.Unreachable _ -> new Prepared.Refused<>(UNREACHABLE);
      case PausedWorkspaces.Found.Workspace found -> restored(found);
    };
  }

  private Prepared<RunFiles> restored(PausedWorkspaces.Found.Workspace found) throws IOException {
    RunMark mark = new RunMark(run.runId(), found.kept().attemptId());
    Workspace workspace = Workspace.again(root, mark);
    Failure failed =
        switch (paused.restore(run, found, listing -> stored.unpack(listing, workspace.path()))) {
          case RESTORED -> null;
          case GONE -> GONE;
          case UNREACHABLE -> UNREACHABLE;
        };
    if (failed != null) {
      workspace.clean();
      return new Prepared.Refused<>(failed);
    }
    redaction.altered().add(workspace.path(), stored.altered());
    left = found;
    return new Prepared.Ready<>(new RunFiles(mark, workspace));
  }

  /// Stores the workspace when the attempt is paused.
  ///
  /// @param memory whether the agent's session files can be stored
  /// @param packed called when the workspace is not needed any more
  /// @param refresh has the store keep what else the attempt needs to continue
  FileKeeping keeping(RunFiles files, BooleanSupplier memory, Runnable packed, Runnable refresh) {
    return new FileKeeping() {
      @Override
      public AgentHandle.Pausable canKeep() {
        if (!memory.getAsBoolean() || !stored.fit(files.workspace().path())) {
          return AgentHandle.Pausable.NO;
        }
        return paused.begin(run, attempt.number())
            ? AgentHandle.Pausable.YES
            : AgentHandle.Pausable.UNANSWERED;
      }

      @Override
      public Optional<Failure> keep() {
        StoredFiles shown = redaction.files();
        refresh.run();
        return paused.keep(
                run,
                attempt.number(),
                files.mark().attemptId(),
                listing -> stored.pack(files.workspace().path(), listing, shown),
                packed,
                shown::changed)
            ? Optional.empty()
            : Optional.of(NOT_KEPT);
      }
    };
  }
}
