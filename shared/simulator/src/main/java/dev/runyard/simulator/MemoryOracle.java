package dev.runyard.simulator;

import dev.runyard.core.artifact.SessionSnapshots;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Asks whether agents remember what they should: an attempt begins with all runs of its session
/// that completed before it and could be kept, with its own run where it continues it, and without
/// its own run's failed tries.
final class MemoryOracle {
  /// The warning of a run whose agent's memory could not be kept.
  static final String NOT_KEPT = "session_not_kept";

  private final Map<String, Map<String, String>> began = new HashMap<>();
  private final Map<RunKey, AgentMode> modes = new HashMap<>();
  private final Map<String, Map<String, String>> completed = new HashMap<>();
  private final Set<RunKey> notKept = new HashSet<>();
  private final Map<String, String> marking = new HashMap<>();
  private final Map<String, String> newest = new HashMap<>();
  private final List<Violation> violations = new ArrayList<>();

  /// An agent was started that remembers these runs, each with the attempt it ended with.
  void began(String attemptId, Map<String, String> runs) {
    began.put(attemptId, runs);
  }

  /// The attempt is about to mark its session.
  void marks(SessionSnapshots.Place session) {
    newest.remove(session.sessionId());
    marking.put(session.sessionId(), session.attemptId());
  }

  /// The attempt has marked its session: no earlier one may leave anything in it now. Of two that
  /// mark it at once, nobody knows which is the newest.
  void marked(SessionSnapshots.Place session) {
    if (marking.remove(session.sessionId(), session.attemptId())) {
      newest.put(session.sessionId(), session.attemptId());
    } else {
      mayBeMarked(session);
    }
  }

  /// The attempt has marked its session, or it has not.
  void mayBeMarked(SessionSnapshots.Place session) {
    newest.remove(session.sessionId());
    marking.remove(session.sessionId());
  }

  /// True when another attempt has marked the session since.
  boolean late(SessionSnapshots.Place session) {
    String attemptId = session.attemptId();
    return !newest.getOrDefault(session.sessionId(), attemptId).equals(attemptId);
  }

  /// A late attempt has replaced what its session remembers.
  void replaced(SessionSnapshots.Place session) {
    violations.add(
        new Violation(
            "A6",
            "%s left something in %s, which another has begun since"
                .formatted(session.attemptId(), session.sessionId())));
  }

  List<Violation> check(List<Chunk> changes) {
    for (Chunk chunk : changes) {
      for (StoredEvent stored : chunk.events(EventCodec.RUNS)) {
        saw(stored);
      }
    }
    return List.copyOf(violations);
  }

  private void saw(StoredEvent stored) {
    RunKey run = stored.run();
    switch (stored.event()) {
      case RunEvent.TaskCreated created -> modes.put(run, AgentMode.of(created.tags()));
      case RunEvent.RuntimeWarning warning when warning.code().equals(NOT_KEPT) -> notKept.add(run);
      case RunEvent.AttemptStarted started -> begins(stored, started);
      case RunEvent.AttemptCompleted done when remembers(run) && !notKept.contains(run) ->
          completed
              .computeIfAbsent(stored.turn().threadId(), _ -> new LinkedHashMap<>())
              .put(run.runId(), done.attemptId());
      case RunEvent.StateChange _,
          RunEvent.Output _,
          RunEvent.Interaction _,
          RunEvent.Notice _ -> {}
    }
  }

  private boolean remembers(RunKey run) {
    return modes.getOrDefault(run, AgentMode.REPLAYED).remembers();
  }

  private void begins(StoredEvent stored, RunEvent.AttemptStarted started) {
    Map<String, String> remembered = began.get(started.attemptId());
    if (remembered == null || !remembers(stored.run())) {
      return;
    }
    String run = stored.run().runId();
    Map<String, String> before = completed.getOrDefault(stored.turn().threadId(), Map.of());
    expect(
        remembered.entrySet().containsAll(before.entrySet()),
        stored,
        remembered,
        "not all of " + before);
    expect(
        remembered.containsKey(run) == started.continuation(),
        stored,
        remembered,
        started.continuation() ? "not its own run" : "what another try did");
  }

  private void expect(
      boolean holds, StoredEvent at, Map<String, String> remembered, String detail) {
    if (!holds) {
      violations.add(
          new Violation(
              "A6", "%s began remembering %s, %s".formatted(at.run().runId(), remembered, detail)));
    }
  }
}
