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

/// Codex's output as events of a run: the standard output of `codex exec --json`, one line at a
/// time, or the same events from [CodexConversation].
///
/// No line stops it: unreadable lines and lines of unknown types are left out, with one warning
/// each. No line is passed on unchanged. One stream serves one process; not thread-safe.
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
  /// @param model the requested model, null for the agent's own choice
  /// @param thread with which the process was started
  public CodexStream(String callPrefix, @Nullable String model, CodexThread thread) {
    this.items = new CodexItems(callPrefix);
    this.model = model;
    this.thread = thread;
    this.told = thread.before();
  }

  /// The events of one line; none for most lines that only repeat what is known.
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
    return type.isEmpty() ? unreadable() : told(CodexEvent.exec(type, event));
  }

  /// Why the process should be ended now although it still runs: it waits for the network without a
  /// limit, or works in another conversation than requested.
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

  /// What the lines so far say about the process's end.
  CodexFacts facts() {
    return new CodexFacts(Optional.ofNullable(trouble), turnFailed, understood);
  }

  /// The ends of tools that will not report their own.
  List<RunEvent> closeTools() {
    return items.closeTools();
  }

  /// The usage of an answer of the model.
  ///
  /// @param helper the thread of Codex's own helper that got it; null for the run's own
  List<RunEvent> answered(Usage more, @Nullable String helper) {
    return more.equals(Usage.NONE)
        ? List.of()
        : List.of(new RunEvent.CostRecorded(more.asTurn(), model, null, helper));
  }

  /// The run's events for an event of Codex.
  List<RunEvent> told(CodexEvent event) {
    understood |= !(event instanceof CodexEvent.Unknown);
    return switch (event) {
      case CodexEvent.ThreadOpened(String id) -> session(id);
      case CodexEvent.TurnStarted() -> turnStarted();
      case CodexEvent.TurnCompleted(Optional<Usage> total) -> turnCompleted(total);
      case CodexEvent.TurnFailed(String message) -> turnFailed(message);
      case CodexEvent.Complained(String message) -> complained(message);
      case CodexEvent.ItemShown(CodexItem item) -> item(item);
      case CodexEvent.Used(Usage total) -> answered(more(total), null);
      case CodexEvent.Unknown(String type) -> unknown(type);
    };
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

  private List<RunEvent> turnCompleted(Optional<Usage> total) {
    trouble = null;
    turnFailed = false;
    List<RunEvent> events = new ArrayList<>(items.closeTools());
    total.ifPresent(used -> events.add(new RunEvent.CostRecorded(more(used), model)));
    return events;
  }

  /// Codex counts from the start of the thread, a run from its own start.
  private Usage more(Usage total) {
    Usage before = told;
    told = total;
    return total.beyond(before);
  }

  private List<RunEvent> turnFailed(String message) {
    turnFailed = true;
    trouble = CodexTrouble.find(message).orElse(trouble == null ? CodexTrouble.OTHER : trouble);
    return items.closeTools();
  }

  private List<RunEvent> complained(String message) {
    trouble = CodexTrouble.find(message).orElse(CodexTrouble.OTHER);
    networkWaits = message.contains("waiting for network") ? networkWaits + 1 : 0;
    return message.startsWith("Reconnecting...")
        ? List.of(
            new RunEvent.RuntimeWarning(
                trouble.failure().code(),
                "Codex tries again to reach its model. " + trouble.failure().message()))
        : List.of();
  }

  private List<RunEvent> item(CodexItem item) {
    networkWaits = 0;
    return item instanceof CodexItem.Unknown(String type)
        ? unknown("item " + type)
        : items.events(item);
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
    String name = TYPE_NAME.matcher(type.replace("item ", "")).matches() ? type : "unnamed";
    if (unknown.size() == UNKNOWN_TYPES_MAX || !unknown.add(name)) {
      return List.of();
    }
    return List.of(
        new RunEvent.RuntimeWarning(
            "unknown_output",
            "Codex printed a type of event that is not known here and is left out: " + name));
  }
}
