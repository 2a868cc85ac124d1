package dev.runyard.runner.left;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.KeptLedger;
import dev.runyard.core.artifact.LeftWorkspace;
import dev.runyard.core.artifact.LeftWorkspaces;
import dev.runyard.core.artifact.LeftWorkspaces.Part;
import dev.runyard.core.change.ChangeBounds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.thread.ThreadOrigin;
import dev.runyard.runner.checkout.AgentRepository;
import dev.runyard.runner.checkout.Origin;
import dev.runyard.runner.kept.FileBounds;
import dev.runyard.runner.kept.KeptFiles;
import dev.runyard.runner.kept.Listing;
import dev.runyard.runner.workspace.StoredFiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The files that a run leaves and a later one begins with, as one attempt restores and keeps them.
/// What the session has already is not sent again.
///
/// A checked-out workspace is kept without the agent's `.git`, which nobody has to believe: the
/// runner's own git directory is kept beside it, and a new `.git` is made of that.
public final class LeftFiles {
  /// Most bytes of all files of a workspace that are kept, and of a repository.
  static final long LEFT_BYTES_MAX = 1024L * 1024 * 1024;

  private static final String GIT = ".git";

  private final LeftWorkspaces workspaces;
  private final KeptLedger ledger;
  private final KeptFiles files;
  private final RunKey run;
  private final String sessionId;

  /// @param ledger of the same store
  /// @param sessionId of the run that leaves files
  public LeftFiles(
      ArtifactStore store, KeptLedger ledger, InstantSource clock, RunKey run, String sessionId) {
    this.workspaces = new LeftWorkspaces(store);
    this.ledger = ledger;
    this.files =
        new KeptFiles(store, clock, new FileBounds(LEFT_BYTES_MAX, ChangeBounds.ENTRIES_MAX));
    this.run = run;
    this.sessionId = sessionId;
  }

  /// What was stored and is not found by anybody yet.
  ///
  /// @param left what will lead to the files
  public record Draft(LeftWorkspace left, LeftWorkspaces.Last last) {}

  /// What the session's last run left, other than this one.
  public Optional<LeftWorkspace> ofSession() {
    return workspaces.last(run.tenant(), sessionId).before(run);
  }

  /// The same where the session goes on from an earlier turn: what there was after that.
  public Optional<LeftWorkspace> ofSession(ThreadOrigin base) {
    Optional<LeftWorkspace> newest = ofSession();
    return newest.filter(left -> base.isUndone(left.runId())).isEmpty()
        ? newest
        : base.run().flatMap(this::ofRun).or(() -> beforeUndone(base));
  }

  /// The turn that the session goes on from has left nothing: what the first undone one began with
  /// that did. Those undone before that turn came were undone by somebody who went on from another.
  private Optional<LeftWorkspace> beforeUndone(ThreadOrigin base) {
    return base.undone().reversed().stream()
        .filter(undone -> undone.compareTo(base.runId()) > 0)
        .filter(undone -> ofRun(undone).isPresent())
        .findFirst()
        .flatMap(undone -> workspaces.before(new RunKey(run.tenant(), undone)));
  }

  /// What another run of the tenant left.
  public Optional<LeftWorkspace> ofRun(String other) {
    return workspaces.of(new RunKey(run.tenant(), other));
  }

  /// Puts the files that a run left into an empty folder.
  ///
  /// @throws IOException if something of them is gone or unreadable
  public Listing restore(LeftWorkspace left, Path into) throws IOException {
    return restore(left, Part.FILES, into);
  }

  /// Puts the runner's own git directory that a run left into an empty folder.
  ///
  /// @throws IOException if something of it is gone or unreadable
  public Optional<Origin.Fetched> restoreRepository(LeftWorkspace left, Path into)
      throws IOException {
    LeftWorkspace.@Nullable Repository kept = left.repository();
    if (kept == null) {
      return Optional.empty();
    }
    restore(left, Part.REPOSITORY, into);
    return Optional.of(
        new Origin.Fetched(
            into,
            new AgentRepository.Head(
                kept.url(),
                Optional.ofNullable(kept.ref()),
                kept.object(),
                kept.commit(),
                kept.sparse(),
                List.of()),
            Optional.ofNullable(kept.credential())));
  }

  /// Has the store keep what a run left from now on as long as what is new, because a run that
  /// began with it waits and needs it again.
  ///
  /// @throws IOException if something of it is gone or unreadable
  public void refresh(LeftWorkspace left) throws IOException {
    workspaces.refresh(run.tenant(), left);
    String packs = LeftWorkspaces.packs(run.tenant(), left.sessionId());
    files.refresh(listing(left, Part.FILES), packs);
    if (left.repository() != null) {
      files.refresh(listing(left, Part.REPOSITORY), packs);
    }
  }

  private Listing listing(LeftWorkspace left, Part part) throws IOException {
    byte[] list =
        workspaces
            .list(run.tenant(), left, part)
            .orElseThrow(() -> new IOException("the list of the files is gone"));
    return files.read(new ByteArrayInputStream(list));
  }

  private Listing restore(LeftWorkspace left, Part part, Path into) throws IOException {
    Listing listing = listing(left, part);
    files.restore(listing, LeftWorkspaces.packs(run.tenant(), left.sessionId()), into);
    return listing;
  }

  /// Stores the files of an attempt that has ended, unless its tenant has stored too much. They and
  /// their repository share a time.
  ///
  /// @param attempt its number
  /// @param stored what is stored of the agent's files
  public Draft keep(int attempt, String attemptId, Origin base, StoredFiles stored) {
    LeftWorkspaces.Last last = workspaces.last(run.tenant(), sessionId);
    LeftWorkspace none =
        new LeftWorkspace(run.runId(), attempt, attemptId, sessionId, false, 0, null, null);
    if (!ledger.hasRoom(run.tenant())) {
      return new Draft(none, last);
    }
    try (Counting sent = new Counting(ledger, run.tenant())) {
      Optional<Origin.Fetched> fetched = base.fetched();
      Predicate<String> left = name -> fetched.isPresent() && name.equals(GIT);
      Instant until = files.latest();
      KeptFiles.KeepingOrder all =
          new KeptFiles.KeepingOrder(StoredFiles.AS_THEY_ARE, _ -> false, until, sent::add);
      KeptFiles.KeepingOrder agents = new KeptFiles.KeepingOrder(stored, left, until, sent::add);
      Listing listing = send(none, Part.FILES, last, base.workspace(), agents);
      if (fetched.isPresent()) {
        Path own = fetched.get().gitDirectory();
        send(none, Part.REPOSITORY, last, own, all);
      }
      return new Draft(
          new LeftWorkspace(
              run.runId(),
              attempt,
              attemptId,
              sessionId,
              true,
              Math.max(stored.changed(), listing.altered().size()),
              fetched.map(LeftFiles::told).orElse(null),
              null),
          last);
    } catch (IOException _) {
      return new Draft(none, last);
    }
  }

  /// What was sent, counted for the tenant at once, also where the rest could not be sent.
  private static final class Counting implements AutoCloseable {
    private final KeptLedger ledger;
    private final String tenant;
    private long bytes;

    Counting(KeptLedger ledger, String tenant) {
      this.ledger = ledger;
      this.tenant = tenant;
    }

    void add(int more) {
      bytes += more;
    }

    @Override
    public void close() {
      ledger.add(tenant, bytes);
    }
  }

  private static LeftWorkspace.Repository told(Origin.Fetched fetched) {
    AgentRepository.Head head = fetched.head();
    return new LeftWorkspace.Repository(
        head.url(),
        head.ref().orElse(null),
        head.object(),
        head.commit(),
        head.sparse(),
        fetched.credential().orElse(null));
  }

  private Listing send(
      LeftWorkspace of,
      Part part,
      LeftWorkspaces.Last last,
      Path root,
      KeptFiles.KeepingOrder order)
      throws IOException {
    Listing known = known(last, part);
    Listing listing = files.keep(root, LeftWorkspaces.packs(run.tenant(), sessionId), known, order);
    ByteArrayOutputStream list = new ByteArrayOutputStream();
    files.write(listing, list);
    if (list.size() > ArtifactStore.OBJECT_BYTES_MAX) {
      throw new IOException("the list of the files is too large");
    }
    workspaces.put(run.tenant(), of, part, list.toByteArray());
    return listing;
  }

  /// What need not be sent again; a list that cannot be read saves nothing.
  private Listing known(LeftWorkspaces.Last last, Part part) {
    Optional<byte[]> list =
        last.left()
            .filter(LeftWorkspace::kept)
            .filter(left -> part == Part.FILES || left.repository() != null)
            .flatMap(left -> workspaces.list(run.tenant(), left, part));
    try {
      return list.isEmpty() ? Listing.EMPTY : files.read(new ByteArrayInputStream(list.get()));
    } catch (IOException _) {
      return Listing.EMPTY;
    }
  }

  /// Lets later runs find what was stored. False if others have left something since.
  public boolean settle(Draft draft) {
    return workspaces.settle(run, draft.left(), draft.last());
  }

  /// Removes the lists of an attempt that has lost its run. What they lead to is removed by the
  /// store's retention, since others may have sent the same.
  public void forget(Draft draft) {
    workspaces.forget(run.tenant(), draft.left());
  }
}
