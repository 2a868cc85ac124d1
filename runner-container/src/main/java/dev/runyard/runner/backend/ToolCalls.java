package dev.runyard.runner.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.Bounds;
import dev.runyard.core.event.RunEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The tool calls of one process, each started once and ended once however often lines repeat it.
/// What is remembered of a call ends when [#CALLS_MAX] newer ones have come. Not thread-safe.
public final class ToolCalls {
  static final int CALLS_MAX = 1024;
  private static final String KIND = "tool_use";
  private static final String NAMELESS = "tool";

  private final String prefix;
  private final Map<String, Call> calls = new LinkedHashMap<>();

  /// @param prefix put before the ids, so that they differ from another attempt's
  public ToolCalls(String prefix) {
    this.prefix = prefix;
  }

  /// What a call gave back, whole: [AgentRun#tell] bounds it.
  ///
  /// @param bytes of it, before anything is cut
  public record Result(boolean failed, @Nullable Integer exitCode, String output, long bytes) {
    public static Result of(boolean failed, String output) {
      return new Result(failed, null, output, Bounds.bytes(output));
    }
  }

  /// The call begins, or its input is known now.
  public List<RunEvent> started(String id, String name, JsonNode input) {
    Call known = calls.get(id);
    String given = input.isMissingNode() || input.isEmpty() ? "" : input.toString();
    if (known == null) {
      Call call = remember(id, name.isBlank() ? NAMELESS : name);
      return List.of(new RunEvent.ToolStarted(prefix + id, call.name, KIND, preview(given)));
    }
    return known.done || given.isEmpty()
        ? List.of()
        : List.of(new RunEvent.ToolProgress(prefix + id, known.name, KIND, preview(given)));
  }

  /// The call goes on.
  public List<RunEvent> progressed(String id) {
    Call known = calls.get(id);
    return known != null && known.done
        ? List.of()
        : List.of(
            new RunEvent.ToolProgress(
                prefix + id, known == null ? NAMELESS : known.name, KIND, null));
  }

  /// The call has ended.
  public List<RunEvent> ended(String id, Result result) {
    Call call = calls.containsKey(id) ? calls.get(id) : remember(id, NAMELESS);
    if (call == null || call.done) {
      return List.of();
    }
    call.done = true;
    String output = result.output().isEmpty() ? null : result.output();
    return List.of(
        result.failed()
            ? new RunEvent.ToolFailed(
                prefix + id, call.name, KIND, result.exitCode(), output, result.bytes())
            : new RunEvent.ToolResult(
                prefix + id, call.name, KIND, result.exitCode(), output, result.bytes()));
  }

  /// The ends of the calls that will report none.
  public List<RunEvent> close() {
    List<RunEvent> events = new ArrayList<>();
    List.copyOf(calls.keySet())
        .forEach(id -> events.addAll(ended(id, new Result(true, null, "", 0))));
    return events;
  }

  private Call remember(String id, String name) {
    Call call = new Call(name);
    calls.put(id, call);
    if (calls.size() > CALLS_MAX) {
      calls.remove(calls.keySet().iterator().next());
    }
    return call;
  }

  private static @Nullable String preview(String text) {
    return text.isEmpty()
        ? null
        : Bounds.truncate(Bounds.wellFormed(text), Bounds.MESSAGE_BYTES_MAX);
  }

  private static final class Call {
    private final String name;
    private boolean done;

    Call(String name) {
      this.name = name;
    }
  }
}
