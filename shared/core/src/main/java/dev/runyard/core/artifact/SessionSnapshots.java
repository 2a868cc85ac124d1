package dev.runyard.core.artifact;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.PortUnavailable;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The session files of agents, in the artifact store.
///
/// Two small objects name the newest archive: one named by the session of the runs, one by the
/// agent's own session id. They are written after the archive and before the attempt's end is in
/// the log, so whoever sees that the run has ended finds its state. A retry begins with the state
/// its first attempt began with. An attempt marks the session when it begins and removes the mark
/// when it ends, so that the next run is warned of a lost one.
public final class SessionSnapshots {
  /// Most bytes of an archive, and of all files in it.
  public static final int ARCHIVE_BYTES_MAX = 48 * 1024 * 1024;

  /// Most states of earlier turns whose archives are kept beside the newest one.
  public static final int EARLIER_MAX = 8;

  /// Most tries to mark a session that others write at the same time.
  static final int MARKS_MAX = 5;

  public static final Failure LOST =
      new Failure(
          "session_lost",
          Category.INTERNAL,
          "What the agent remembered of the session is gone. Begin a new session.");
  public static final Failure UNREACHABLE =
      new Failure(
          "session_unavailable",
          Category.CAPACITY,
          "What the agent remembers of the session could not be read. Submit again in a while.");

  private final ArtifactStore store;
  private final SavedStates states;
  private final Executor meanwhile;
  private final BooleanSupplier over;
  private final Predicate<String> undone;

  /// @param meanwhile asks the store while something else is done: each call of it takes
  ///   milliseconds, and an attempt's end waits for all of them
  public SessionSnapshots(ArtifactStore store, Executor meanwhile) {
    this(store, meanwhile, () -> false, _ -> false);
  }

  private SessionSnapshots(
      ArtifactStore store, Executor meanwhile, BooleanSupplier over, Predicate<String> undone) {
    this.store = store;
    this.states = new SavedStates(store);
    this.meanwhile = meanwhile;
    this.over = over;
    this.undone = undone;
  }

  /// The same for an attempt that may be over while it is still being prepared. From then on it
  /// marks no session, since the next run may have begun there.
  ///
  /// @param now true once the attempt is over, before others can know it
  public SessionSnapshots unless(BooleanSupplier now) {
    return new SessionSnapshots(store, meanwhile, now, undone);
  }

  /// The same for an attempt to whose thread some turns have not been.
  ///
  /// @param runs true for the run of a turn that is undone
  public SessionSnapshots without(Predicate<String> runs) {
    return new SessionSnapshots(store, meanwhile, over, runs);
  }

  /// What an agent remembers, where it runs.
  public interface Memory {
    /// All of it as one archive; empty where there is none.
    ///
    /// @throws IOException also where it would have more than `bytesMax` bytes
    byte[] pack(int bytesMax) throws IOException;

    /// Puts an archive in its place.
    ///
    /// @throws IOException for one that holds nothing, or is no archive
    void unpack(byte[] archive) throws IOException;
  }

  /// The failure of a run that asks for a session that does not exist.
  public static Failure notFound(boolean last) {
    return new Failure(
        "session_not_found", Category.CALLER, last ? "no session found" : "session not found");
  }

  /// Restores the state an attempt begins with.
  ///
  /// @param wanted the agent's own session id; null for the newest of the run's session
  /// @param continuation whether the attempt continues another of the same run
  public Restored restore(
      Place place, @Nullable String wanted, boolean continuation, Memory memory) {
    try {
      Optional<SavedState> named =
          wanted == null
              ? Optional.empty()
              : states.read(SavedStates.byNative(place, wanted)).state();
      SavedState own = marked(place);
      Optional<SavedState> newest = wanted == null ? standing(own) : named;
      Optional<SavedState> found =
          newest.filter(state -> !state.none()).flatMap(state -> begin(place, state, continuation));
      boolean behind = own.lostRunBefore(place.run().runId());
      return found.isEmpty()
          ? new Restored.Nothing(behind)
          : unpack(found.get(), wanted, behind, memory);
    } catch (PortUnavailable _) {
      return new Restored.Failed(UNREACHABLE);
    }
  }

  /// Begins a session that no run had before: there is nothing to restore.
  public Restored open(Place place) {
    try {
      SavedState own = SavedState.NONE.opened(place.mark());
      return states.replace(SavedStates.bySession(place), Optional.empty(), own)
          ? new Restored.Nothing(false)
          : restoredMark(place);
    } catch (PortUnavailable _) {
      return new Restored.Failed(UNREACHABLE);
    }
  }

  private Restored restoredMark(Place place) {
    return new Restored.Nothing(marked(place).lostRunBefore(place.run().runId()));
  }

  /// Marks the session as begun by the attempt; returns its previous state. A concurrent write
  /// belongs to an earlier attempt, so marking is repeated. An attempt that was not over when the
  /// state had been read cannot overwrite the mark of a later one.
  private SavedState marked(Place place) {
    for (int i = 0; i < MARKS_MAX; i++) {
      SavedStates.Pointer pointer = states.read(SavedStates.bySession(place));
      if (over.getAsBoolean()) {
        throw new PortUnavailable("the attempt is over");
      }
      SavedState own = pointer.state().orElse(SavedState.NONE);
      if (states.replace(
          SavedStates.bySession(place), pointer.version(), own.opened(place.mark()))) {
        return own;
      }
    }
    throw new PortUnavailable("others write the session's state");
  }

  /// What an attempt leaves, stored but not yet visible to others.
  ///
  /// @param state that will name it; empty if the agent left nothing
  /// @param own the object of the previous state
  /// @param named the same by the agent's own session id
  public record Draft(
      Place place,
      Optional<SavedState> state,
      SavedStates.Pointer own,
      SavedStates.Pointer named,
      boolean reached) {
    static Draft unreachable(Place place) {
      return new Draft(
          place, Optional.empty(), SavedStates.Pointer.NONE, SavedStates.Pointer.NONE, false);
    }
  }

  /// Stores what an attempt leaves.
  ///
  /// @param began the state the run's first attempt began with; null if there was none
  public Draft draft(Place place, String nativeSession, @Nullable SavedState began, Memory memory) {
    String archive = SavedStates.archive(place);
    Future<SavedStates.Pointer> own = meanwhile(() -> states.read(SavedStates.bySession(place)));
    Future<SavedStates.Pointer> named =
        meanwhile(() -> states.read(SavedStates.byNative(place, nativeSession)));
    try {
      Packed packed = pack(memory, archive);
      String key = packed == Packed.STORED ? archive : null;
      SavedState state = new SavedState(place.run().runId(), nativeSession, key, began, null);
      return new Draft(
          place,
          packed == Packed.NOTHING ? Optional.empty() : Optional.of(state),
          result(own),
          result(named),
          true);
    } catch (PortUnavailable _) {
      return Draft.unreachable(place);
    }
  }

  /// What an attempt leaves whose agent reported no session.
  public Draft draftOfNothing(Place place) {
    try {
      return new Draft(
          place,
          Optional.empty(),
          states.read(SavedStates.bySession(place)),
          SavedStates.Pointer.NONE,
          true);
    } catch (PortUnavailable _) {
      return Draft.unreachable(place);
    }
  }

  /// Makes what was stored visible to the session's next attempt, if this one may still leave
  /// something and none has begun since: only the attempt whose mark the session has may replace
  /// it.
  ///
  /// @param ours whether the attempt is still its run's
  public Saved settle(Draft draft, boolean ours) {
    Place place = draft.place();
    try {
      if (!ours) {
        store.delete(SavedStates.archive(place));
        return new Saved.Kept();
      }
      SavedState own = draft.own().state().orElse(SavedState.NONE);
      if (!draft.reached() || !place.mark().equals(own.open())) {
        return new Saved.Unreachable();
      }
      SavedState next = draft.state().orElseGet(() -> own.opened(null));
      if (!states.replace(SavedStates.bySession(place), draft.own().version(), next)) {
        store.delete(SavedStates.archive(place));
        return new Saved.Unreachable();
      }
      if (draft.state().isEmpty()) {
        return new Saved.Kept();
      }
      states.replace(
          SavedStates.byNative(place, next.nativeSession()), draft.named().version(), next);
      forget(own, next);
      return next.archive() == null ? new Saved.TooLarge() : new Saved.Kept();
    } catch (PortUnavailable _) {
      return new Saved.Unreachable();
    }
  }

  private <T> Future<T> meanwhile(Callable<T> call) {
    FutureTask<T> task = new FutureTask<>(call);
    meanwhile.execute(task);
    return task;
  }

  private static <T> T result(Future<T> task) {
    try {
      return task.get();
    } catch (ExecutionException e) {
      switch (Objects.requireNonNull(e.getCause())) {
        case PortUnavailable unavailable -> throw unavailable;
        case Error error -> throw error;
        case Throwable cause -> throw new IllegalStateException(cause);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PortUnavailable("interrupted", e);
    }
  }

  /// The newest state that no undone turn has left.
  private Optional<SavedState> standing(SavedState newest) {
    return newest.line().stream()
        .filter(Predicate.not(state -> undone.test(state.runId())))
        .findFirst();
  }

  /// The state before the run, for an attempt that starts again.
  private static Optional<SavedState> begin(Place place, SavedState newest, boolean continuation) {
    boolean own = newest.runId().equals(place.run().runId());
    return own && !continuation ? Optional.ofNullable(newest.before()) : Optional.of(newest);
  }

  private Restored unpack(
      SavedState state, @Nullable String wanted, boolean behind, Memory memory) {
    Optional<byte[]> content = Optional.ofNullable(state.archive()).flatMap(store::get);
    if (content.isEmpty()) {
      return new Restored.Failed(LOST);
    }
    try {
      memory.unpack(content.get());
      return new Restored.Session(wanted == null ? state.nativeSession() : wanted, state, behind);
    } catch (IOException _) {
      return new Restored.Failed(LOST);
    }
  }

  private enum Packed {
    NOTHING,
    STORED,
    TOO_LARGE
  }

  private Packed pack(Memory memory, String archive) {
    try {
      byte[] content = memory.pack(ARCHIVE_BYTES_MAX);
      if (content.length == 0) {
        return Packed.NOTHING;
      }
      store.put(archive, content);
      return Packed.STORED;
    } catch (IOException _) {
      return Packed.TOO_LARGE;
    }
  }

  /// Removes the archives that this session no longer names. An agent's own session that another
  /// session still names keeps its archive until the store's retention ends.
  private void forget(SavedState old, SavedState now) {
    Set<String> kept =
        now.line().stream()
            .map(SavedState::archive)
            .filter(Objects::nonNull)
            .collect(Collectors.toSet());
    for (SavedState state : old.line()) {
      String archive = state.archive();
      boolean same = state.nativeSession().equals(now.nativeSession());
      if (archive != null && same && !kept.contains(archive)) {
        store.delete(archive);
      }
    }
  }

  /// Whose state it is.
  ///
  /// @param attemptId of the attempt that begins or ends
  /// @param kind of the agent: each has its own files in a session
  /// @param sessionId what the memory of the run's thread is kept under
  public record Place(RunKey run, String attemptId, String kind, String sessionId) {
    String mark() {
      return SavedState.mark(run.runId(), attemptId);
    }
  }

  /// What an attempt begins with.
  public sealed interface Restored {
    /// Nothing is stored yet.
    ///
    /// @param behind whether a run of the session was lost with its conversation
    record Nothing(boolean behind) implements Restored {}

    /// The agent has its session.
    ///
    /// @param behind whether a run of the session was lost since, with its conversation
    record Session(String nativeSession, SavedState state, boolean behind) implements Restored {
      /// What the run's first attempt began with: this state, or the one it names for a
      /// continuation.
      public @Nullable SavedState began(RunKey run) {
        return state.runId().equals(run.runId()) ? state.before() : state.asBefore();
      }
    }

    /// Something is stored but cannot be read: a new session would silently forget it.
    record Failed(Failure failure) implements Restored {}
  }

  /// The result of storing an attempt's state.
  public sealed interface Saved {
    /// It is stored, or the agent left nothing.
    record Kept() implements Saved {}

    /// It is larger than [#ARCHIVE_BYTES_MAX]; the session's next run learns that it is lost.
    record TooLarge() implements Saved {}

    record Unreachable() implements Saved {}
  }
}
