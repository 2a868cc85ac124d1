package dev.runyard.core.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.request.RunRequest;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A command of the Agent Runtime standard, already validated.
public sealed interface RuntimeCommand {
  /// A new turn: what a submit asks for.
  ///
  /// @param params the JSON it was read from
  record SubmitTurn(RunRequest request, ObjectNode params) implements RuntimeCommand {}

  /// Ends the turn that a thread has, and with `clear` those that wait.
  ///
  /// @param turnId the turn that is meant, if it must be that one
  record InterruptTurn(
      String threadId, Optional<String> turnId, boolean clear, Optional<String> reason)
      implements RuntimeCommand {}

  /// Ends a turn that waits, before it begins.
  record RemoveQueuedTurn(String threadId, String turnId) implements RuntimeCommand {}

  /// Makes a turn that waits the next one.
  record PromoteQueuedTurn(String threadId, String turnId) implements RuntimeCommand {}

  /// Has a thread go on from what a turn left.
  ///
  /// @param turnId empty for the newest of which something is kept
  record ResumeThread(String threadId, Optional<String> turnId) implements RuntimeCommand {}

  /// Takes the turns after one back.
  record RollbackThread(String threadId, String turnId) implements RuntimeCommand {}

  /// Decides an action.
  record RespondAction(String actionId, ActionDecision decision, @Nullable JsonNode payload)
      implements RuntimeCommand {}

  /// A session with its newest runs.
  record GetSession(String sessionId, Window window) implements RuntimeCommand {}

  /// A thread with its order and its newest runs.
  record GetThreadRead(String threadId, Window window) implements RuntimeCommand {}

  /// A command about jobs.
  record OfJob(RuntimeJobCommand command) implements RuntimeCommand {}

  /// A command about tasks.
  record OfTask(TaskRequest request) implements RuntimeCommand {}

  /// A command that is known and does nothing here.
  record Unavailable(String command) implements RuntimeCommand {}

  /// The part of a history that is asked for.
  ///
  /// @param cursor of the page before
  /// @param view the terms in which it is shown, one of [#VIEWS]
  record Window(int limit, Optional<String> cursor, String view) {
    public static final int LIMIT_MAX = 100;
    public static final int LIMIT_DEFAULT = 20;

    /// As the resource has it, or in the form of the standard's strict profile.
    public static final List<String> VIEWS = List.of("runtime", "lime");

    /// True for the strict profile's form.
    public boolean strict() {
      return view.equals(VIEWS.getLast());
    }
  }
}
