package dev.runyard.runner.attempt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.artifact.SavedState;
import dev.runyard.core.artifact.SessionSnapshots;
import dev.runyard.core.attempt.Keeping;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunFacts;
import dev.runyard.runner.backend.AgentBackend;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.Redaction;
import dev.runyard.runner.session.FolderMemory;
import dev.runyard.runner.workspace.StoredFiles;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/// The session files of one attempt's agent: restored into its home before it starts, stored after
/// it has ended. If the session has an agent's session, the run resumes it even if the request does
/// not say so; a run that asks for a session that does not exist fails rather than begin another.
final class SessionRestorer {
  static final String NOT_KEPT = "session_not_kept";
  static final String REDACTED = "session_redacted";
  static final String BEHIND = "session_behind";

  private final SessionSnapshots states;
  private final SessionSnapshots.Place place;
  private final List<Path> kept;
  private final boolean first;
  private final Redaction redaction;
  private @Nullable StoredFiles files;
  private @Nullable FolderMemory memory;
  private @Nullable SavedState began;

  SessionRestorer(
      SessionSnapshots states,
      AgentBackend backend,
      RunFacts facts,
      Attempt attempt,
      Redaction redaction) {
    this.redaction = redaction;
    this.states = states;
    this.place =
        new SessionSnapshots.Place(
            facts.run(), attempt.id(), facts.request().agent(), facts.request().memoryId());
    this.kept = backend.sessionState();
    this.first = attempt.number() == 1 && place.sessionId().equals(facts.run().runId());
  }

  /// Restores the session files into the agent's home; returns the extensions to start with, which
  /// name the session to resume or fork by its id.
  Prepared<Recalled> recall(Map<String, JsonNode> given, boolean continuation, Path into) {
    StoredFiles stored = redaction.files();
    files = stored;
    FolderMemory own = new FolderMemory(into, kept, stored);
    memory = own;
    if (kept.isEmpty()) {
      return ready(given, false);
    }
    boolean forks = given.containsKey(Capabilities.SESSION_FORK) && !continuation;
    String key = forks ? Capabilities.SESSION_FORK : Capabilities.SESSION_RESUME;
    JsonNode selector = continuation ? null : given.get(key);
    String wanted = selector == null ? null : selector.path("id").textValue();
    boolean alone = first && selector == null && !continuation;
    return switch (alone ? states.open(place) : states.restore(place, wanted, continuation, own)) {
      case SessionSnapshots.Restored.Nothing _ when continuation ->
          new Prepared.Refused<>(WorkspaceRestorer.LOST);
      case SessionSnapshots.Restored.Nothing nothing ->
          selector == null
              ? ready(given, nothing.behind())
              : new Prepared.Refused<>(SessionSnapshots.notFound(wanted == null));
      case SessionSnapshots.Restored.Failed failed -> new Prepared.Refused<>(failed.failure());
      case SessionSnapshots.Restored.Session session when continuation && !own(session) ->
          new Prepared.Refused<>(WorkspaceRestorer.LOST);
      case SessionSnapshots.Restored.Session session -> {
        began = session.began(place.run());
        Map<String, JsonNode> extensions = new HashMap<>(given);
        extensions.remove(Capabilities.SESSION_FORK);
        extensions.put(key, byId(session.nativeSession()));
        yield ready(extensions, session.behind());
      }
    };
  }

  /// Begins to store the ended agent's session files; empty if it has none, or if nothing was
  /// restored, so that there is nothing to add to.
  Optional<Keeping> keep(AgentRun run) {
    FolderMemory from = memory;
    if (kept.isEmpty() || from == null) {
      return Optional.empty();
    }
    Future<SessionSnapshots.Draft> drafting =
        background(
            () ->
                run.session()
                    .map(session -> states.draft(place, session, began, from))
                    .orElseGet(() -> states.draftOfNothing(place)));
    return Optional.of(
        new Keeping() {
          @Override
          public Future<?> stored() {
            return drafting;
          }

          @Override
          public Future<Settled> settle(boolean ours) {
            return background(() -> settled(drafting, ours));
          }
        });
  }

  /// If its thread failed, nothing was stored, and the attempt ends anyway.
  private Keeping.Settled settled(Future<SessionSnapshots.Draft> drafting, boolean ours)
      throws InterruptedException {
    try {
      return told(states.settle(drafting.get(), ours));
    } catch (ExecutionException _) {
      return told(new SessionSnapshots.Saved.Unreachable());
    }
  }

  private Keeping.Settled told(SessionSnapshots.Saved saved) {
    StoredFiles stored = files;
    return switch (saved) {
      case SessionSnapshots.Saved.Kept _ when stored != null && stored.changed() > 0 ->
          Keeping.Settled.kept(
              new RunEvent.RuntimeWarning(
                  REDACTED,
                  "What the agent remembers of its session contained secrets, and is kept without"
                      + " them."));
      case SessionSnapshots.Saved.Kept _ -> Keeping.Settled.SILENTLY;
      case SessionSnapshots.Saved.TooLarge _ ->
          notKept("What the agent remembers of its session is too large to be kept.");
      case SessionSnapshots.Saved.Unreachable _ ->
          notKept("What the agent remembers of its session could not be stored.");
    };
  }

  /// Work that stores; if it fails, nothing was stored.
  private static <T> Future<T> background(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread.ofPlatform().daemon().name("session-state").start(task);
    return task;
  }

  /// True when the session files are small enough to be stored.
  boolean fits() {
    return memory != null && memory.fits();
  }

  /// A run that continues uses its own session.
  private boolean own(SessionSnapshots.Restored.Session session) {
    return session.state().runId().equals(place.run().runId());
  }

  private static Prepared<Recalled> ready(Map<String, JsonNode> extensions, boolean behind) {
    Optional<RunEvent> warning =
        behind
            ? Optional.of(
                new RunEvent.RuntimeWarning(
                    BEHIND,
                    "An earlier run of the session was lost. The agent does not remember what was"
                        + " said in it."))
            : Optional.empty();
    return new Prepared.Ready<>(new Recalled(extensions, warning));
  }

  private static Keeping.Settled notKept(String message) {
    return Keeping.Settled.notKept(
        new RunEvent.RuntimeWarning(
            NOT_KEPT, message + " A later run of the session does not know of this one."));
  }

  private static JsonNode byId(String nativeSession) {
    return JsonNodeFactory.instance.objectNode().put("selector", "id").put("id", nativeSession);
  }

  /// What an attempt starts with.
  ///
  /// @param warning written first
  record Recalled(Map<String, JsonNode> extensions, Optional<RunEvent> warning) {}
}
