package dev.runyard.runner.backend.codex;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.usage.Usage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What Codex tells, as events of a run: the standard output of `codex exec --json`, one line at a
/// time, or the same happenings as [CodexConversation] hears of them.
///
/// No line stops it: one that cannot be read or has an unknown type is left out with a warning,
/// once each. No line is passed on as it is. One stream serves one process; not thread-safe.
public final class CodexStream {

  static final int SESSION_ID_BYTES_MAX = 1_024;
  static final int UNKNOWN_TYPES_MAX = 16;
  static final int NETWORK_WAITS_MAX = 4;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern TYPE_NAME = Pattern.compile("[a-z][a-z0-9_.]{0,63}");

  private final CodexItems items;
  private final @Nullable String model;
  private final CodexThread thread;
  private final Set<String> unknown = new HashSet<>();
  private Usage told;
  private @Nullable String threadId;
  private @Nullable CodexTrouble trouble;
  private boolean understood;
  private boolean turnFailed;
  private boolean warned;
  private int networkWaits;

  /// @param callPrefix put before the ids of tool calls, so that they differ from another attempt's
  /// @param model the model that was asked for, null for the agent's own choice
  /// @param thread the one the process was started with
  public CodexStream(String callPrefix, @Nullable String model, CodexThread thread) {
    this.items = new CodexItems(callPrefix);
    this.model = model;
    this.thread = thread;
    this.told = thread.before();
  }

  /// The events of one line, none for most that only repeat what is known.
  public List<RunEvent> line(String line) {
    if (line.isBlank()) {
      return List.of();
    }
    JsonNode event;
    try {
      event = JSON.readTree(line);
    } catch (JsonProcessingException e) {
      return unreadable();
    }
    String type = event.path("type").asText("");
    return type.isEmpty() ? unreadable() : typed(type, event);
  }

  /// Why the process should be ended now, though it goes on: it waits for a network that does not
  /// come, without a limit of its own, or works in another conversation than it was told to.
  public Optional<Failure> giveUp() {
    if (thread instanceof CodexThread.Known known
        && threadId != null
        && !threadId.equals(known.id())) {
      return Optional.of(CodexTrouble.SESSION_NOT_FOUND.failure());
    }
    return networkWaits >= NETWORK_WAITS_MAX
        ? Optional.of(CodexTrouble.NETWORK.failure())
        : Optional.empty();
  }

  /// What the lines so far say about how the process will end.
  CodexFacts facts() {
    return new CodexFacts(Optional.ofNullable(trouble), turnFailed, understood);
  }

  /// The ends of tools that will report none.
  List<RunEvent> closeTools() {
    return items.closeTools();
  }

  /// What was used since this was told last.
  ///
  /// @param total that the thread used from its start
  List<RunEvent> used(Usage total) {
    return answered(more(total));
  }

  /// What an answer of the model used.
  List<RunEvent> answered(Usage more) {
    return more.equals(Usage.NONE)
        ? List.of()
        : List.of(new RunEvent.CostRecorded(more.asTurn(), model));
  }

  /// The events of something that happened, in the terms of `codex exec --json`.
  List<RunEvent> typed(String type, JsonNode event) {
    List<RunEvent> events =
        switch (type) {
          case "thread.started", "thread.resumed" -> session(event.path("thread_id").asText(""));
          case "turn.started" -> turnStarted();
          case "turn.completed" -> turnCompleted(event.path("usage"));
          case "turn.failed" -> turnFailed(event);
          case "error" -> error(event.path("message").asText(""));
          case "item.started", "item.created", "item.updated", "item.delta" -> item(event, false);
          case "item.completed" -> item(event, true);
          default -> unknown(type);
        };
    understood |= !unknown.contains(type);
    return events;
  }

  private List<RunEvent> session(String id) {
    String handle = id.strip();
    if (threadId != null || handle.isEmpty()) {
      return List.of();
    }
    threadId = handle;
    return Bounds.bytes(handle) <= SESSION_ID_BYTES_MAX
        ? List.of(new RunEvent.SessionUpdated(handle))
        : List.of(
            new RunEvent.RuntimeWarning(
                "session_handle_omitted",
                "session handle omitted: id exceeds %d bytes".formatted(SESSION_ID_BYTES_MAX)));
  }

  private List<RunEvent> turnStarted() {
    trouble = null;
    turnFailed = false;
    return List.of();
  }

  private List<RunEvent> turnCompleted(JsonNode usage) {
    trouble = null;
    turnFailed = false;
    List<RunEvent> events = new ArrayList<>(items.closeTools());
    if (usage.isObject()) {
      events.add(new RunEvent.CostRecorded(more(CodexRollouts.usage(usage)), model));
    }
    return events;
  }

  /// Codex counts a thread from its start, a run from its own.
  private Usage more(Usage total) {
    Usage before = told;
    told = total;
    return total.beyond(before);
  }

  private List<RunEvent> turnFailed(JsonNode event) {
    String message = event.at("/error/message").asText(event.path("message").asText(""));
    turnFailed = true;
    trouble = CodexTrouble.find(message).orElse(trouble == null ? CodexTrouble.OTHER : trouble);
    return items.closeTools();
  }

  private List<RunEvent> error(String message) {
    trouble = CodexTrouble.find(message).orElse(CodexTrouble.OTHER);
    networkWaits = message.contains("waiting for network") ? networkWaits + 1 : 0;
    return message.startsWith("Reconnecting...")
        ? List.of(
            new RunEvent.RuntimeWarning(
                trouble.failure().code(),
                "Codex tries again to reach its model. " + trouble.failure().message()))
        : List.of();
  }

  private List<RunEvent> item(JsonNode event, boolean last) {
    CodexItem item = CodexItem.of(event);
    networkWaits = 0;
    return items.events(item, last).orElseGet(() -> unknown("item " + item.type()));
  }

  List<RunEvent> unreadable() {
    if (warned) {
      return List.of();
    }
    warned = true;
    return List.of(
        new RunEvent.RuntimeWarning(
            "unreadable_output",
            "Codex printed something that is not an event; lines like it are left out."));
  }

  private List<RunEvent> unknown(String type) {
    if (unknown.size() == UNKNOWN_TYPES_MAX || !unknown.add(type)) {
      return List.of();
    }
    String name = TYPE_NAME.matcher(type.replace("item ", "")).matches() ? type : "unnamed";
    return List.of(
        new RunEvent.RuntimeWarning(
            "unknown_output",
            "Codex printed a type of event that is not known here and is left out: " + name));
  }
}
