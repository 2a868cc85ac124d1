package dev.runyard.runner.attempt;

import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.artifact.LeftWorkspace;
import dev.runyard.core.attempt.Keeping;
import dev.runyard.core.change.KeptChange;
import dev.runyard.core.change.KeptChanges;
import dev.runyard.core.change.KeptObject;
import dev.runyard.core.change.WholeChange;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.runner.backend.Redaction;
import dev.runyard.runner.change.Beginnings;
import dev.runyard.runner.change.TakingFailed;
import dev.runyard.runner.checkout.AgentRepository;
import dev.runyard.runner.checkout.Checkouts;
import dev.runyard.runner.checkout.Origin;
import dev.runyard.runner.kept.Listing;
import dev.runyard.runner.left.LeftFiles;
import dev.runyard.runner.log.RunnerLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The files that an earlier run left, as one attempt begins with them.
///
/// Whoever wants them finds all of them or fails: an agent that began without its files would
/// silently do harm.
final class EarlierFiles {
  static final Failure NOT_FOUND =
      new Failure(
          Failure.WORKSPACE_NOT_FOUND,
          Category.CALLER,
          "No earlier run has left files, or they are not kept any more. Submit again with another"
              + " workspace.");

  static final Failure NOT_KEPT =
      new Failure(
          Failure.WORKSPACE_NOT_FOUND,
          Category.CALLER,
          "The files that the earlier run left could not be kept. Submit again with another"
              + " workspace.");

  private final AgentAttempt of;
  private final Redaction redaction;
  private final KeptChanges changes;
  private final LeftFiles files;
  private final InstantSource clock;
  private final RunnerLog log;

  /// @param redaction gets to know which files are not as they were left
  EarlierFiles(AgentSetup setup, AgentAttempt of, Redaction redaction) {
    this.of = of;
    this.redaction = redaction;
    this.changes = new KeptChanges(setup.stores().artifacts());
    this.clock = setup.services().clock();
    this.log = setup.log();
    this.files =
        new LeftFiles(
            setup.stores().artifacts(),
            setup.stores().kept(clock),
            clock,
            of.run(),
            of.request().memoryId());
  }

  /// What the attempt's workspace is to be.
  ///
  /// @param left the files it begins with, if a run left them
  record Wanted(WorkspaceRequest request, Optional<LeftWorkspace> left) {}

  /// Files that are there again.
  ///
  /// @param base what they are
  /// @param listing what they were when they were kept
  /// @param warnings what is to be told of them
  record Restored(Origin base, Listing listing, List<RunEvent> warnings) {}

  /// Has the store keep what a waiting attempt began with until the run continues. If that fails,
  /// the run may have no changes to show.
  void refresh(LeftWorkspace left) {
    try {
      files.refresh(left);
      changes.refresh(new RunKey(of.run().tenant(), left.runId()));
    } catch (IOException | PortUnavailable e) {
      log.failed("workspace_not_refreshed", e);
    }
  }

  /// What the request says; for one that says nothing, what the session's last run left. Empty for
  /// a run without a workspace.
  ///
  /// @param there whether the workspace has the files of a paused attempt, which need nothing else
  Prepared<Optional<Wanted>> wanted(boolean there) {
    WorkspaceRequest asked = of.request().workspace();
    try {
      if (asked == null) {
        return new Prepared.Ready<>(
            byDefault().map(left -> new Wanted(ofSession(), Optional.of(left))));
      }
      return switch (asked.source()) {
        case WorkspaceSource.Session _ -> found(asked, left(), there);
        case WorkspaceSource.Run(String run) -> found(asked, files.ofRun(run), there);
        case WorkspaceSource.Git _, WorkspaceSource.Upload _, WorkspaceSource.None _ ->
            new Prepared.Ready<>(Optional.of(new Wanted(asked, Optional.empty())));
      };
    } catch (PortUnavailable _) {
      return new Prepared.Refused<>(WorkspaceRestorer.UNREACHABLE);
    }
  }

  private static Prepared<Optional<Wanted>> found(
      WorkspaceRequest asked, Optional<LeftWorkspace> left, boolean there) {
    return left.isEmpty() && !there
        ? new Prepared.Refused<>(NOT_FOUND)
        : new Prepared.Ready<>(Optional.of(new Wanted(asked, left)));
  }

  private Optional<LeftWorkspace> byDefault() {
    boolean alone = of.request().begins(of.run());
    boolean able =
        of.backend()
            .filter(own -> own.manifest().capabilities().contains(Capabilities.WORKSPACE))
            .isPresent();
    return alone || !able ? Optional.empty() : left();
  }

  private Optional<LeftWorkspace> left() {
    return files.ofSession(of.base().get());
  }

  private static WorkspaceRequest ofSession() {
    return WorkspaceRequest.of(new WorkspaceSource.Session());
  }

  /// Brings the files back, or only what they were if they are there already.
  ///
  /// @param there whether the workspace has the files of a paused attempt
  Prepared<Restored> restore(
      Optional<LeftWorkspace> found, Path workspace, boolean there, Checkouts checkouts)
      throws IOException, InterruptedException {
    Path own = checkouts.folder();
    if (found.isEmpty() || !found.get().kept()) {
      return new Prepared.Refused<>(found.isEmpty() ? NOT_FOUND : NOT_KEPT);
    }
    LeftWorkspace left = found.get();
    try {
      Path begun = there ? Files.createDirectory(own.resolve("begun")) : workspace;
      Listing listing = files.restore(left, begun);
      redaction.altered().add(begun, listing.altered());
      Optional<Origin> known = known(left, begun, own, checkouts);
      if (known.isEmpty()) {
        return new Prepared.Refused<>(
            Prepared.notStarted("its runner has no git to tell changes by"));
      }
      if (!there && known.get().fetched().isPresent()) {
        Origin.Fetched fetched = known.get().fetched().get();
        new AgentRepository(fetched.gitDirectory(), workspace).write(fetched.head());
      }
      List<RunEvent> warnings = new ArrayList<>(changed(left));
      Origin base = begun(known.get(), told(left), own, warnings);
      return new Prepared.Ready<>(new Restored(base.at(workspace), listing, warnings));
    } catch (PortUnavailable _) {
      return new Prepared.Refused<>(WorkspaceRestorer.UNREACHABLE);
    } catch (IOException e) {
      log.failed("workspace_not_restored", e);
      return new Prepared.Refused<>(WorkspaceRestorer.GONE);
    }
  }

  private Origin begun(Origin known, Beginnings.Told told, Path own, List<RunEvent> warnings)
      throws IOException {
    try {
      return new Beginnings(
              known.fetched().map(fetched -> fetched.head().sparse()).orElse(List.of()),
              new KnownSecrets(redaction),
              own,
              clock)
          .of(known, told);
    } catch (TakingFailed e) {
      warnings.add(
          new RunEvent.RuntimeWarning(
              "base_unavailable",
              "What the files were at first cannot be told, so that the run's changes have those of"
                  + " earlier runs too: "
                  + e.reason()
                  + "."));
      return known;
    }
  }

  /// What the run that left the files and those before it have told.
  private Beginnings.Told told(LeftWorkspace left) {
    RunKey run = new RunKey(of.run().tenant(), left.runId());
    Optional<KeptChange> change =
        changes.find(run).filter(kept -> kept.attempt() == left.attempt());
    if (change.isEmpty()) {
      return Beginnings.Told.nothing(List.of(left.runId()));
    }
    WholeChange whole = change.get().whole();
    KeptObject patch = whole == null ? change.get().patch() : whole.patch();
    return new Beginnings.Told(
        whole == null ? change.get().baseCommit() : whole.commit(),
        Optional.ofNullable(patch).flatMap(object -> changes.content(run, change.get(), object)),
        whole == null ? List.of(left.runId()) : whole.runs());
  }

  private static List<RunEvent> changed(LeftWorkspace left) {
    return left.changed() == 0
        ? List.of()
        : List.of(
            new RunEvent.RuntimeWarning(
                WorkspaceRestorer.REDACTED,
                "%d files of the workspace contained secrets when the earlier run ended. They have *"
                        .formatted(left.changed())
                    + " in place of each, or are gone if their names did, and are left out of the"
                    + " run's changes."));
  }

  /// Stores the files of the ended agent.
  ///
  /// @param beside what else is stored
  FilesKeeping keeping(Optional<Keeping> beside, Origin base) {
    return new FilesKeeping(
        beside,
        files,
        () -> files.keep(of.attempt().number(), of.attempt().id(), base, redaction.files()),
        log);
  }

  private Optional<Origin> known(LeftWorkspace left, Path begun, Path own, Checkouts checkouts)
      throws IOException, InterruptedException {
    if (left.repository() == null) {
      return checkouts.empty(begun);
    }
    Path git = Files.createDirectory(own.resolve("git"));
    return files.restoreRepository(left, git).map(fetched -> fetched.at(begun));
  }
}
