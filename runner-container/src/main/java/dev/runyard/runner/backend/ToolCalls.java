package dev.runyard.runner.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Bounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The tool calls of one process, each started once and ended once, however often lines repeat it.
/// A call is forgotten when [#CALLS_MAX] newer ones have come, or too much is [Remembered]. Not
/// thread-safe.
public final class ToolCalls {
  static final int CALLS_MAX = 1024;
  private static final String KIND = "tool_use";
  private static final String NAMELESS = "tool";

  private final String prefix;
  private final ToolFacts facts;
  private final Remembered<Call> calls = new Remembered<>(CALLS_MAX, Call::chars);

  /// @param prefix put before the ids, so that they differ from another attempt's
  /// @param facts what is known about the tools
  public ToolCalls(String prefix, ToolFacts facts) {
    this.prefix = prefix;
    this.facts = facts;
  }

  /// A call's whole result: [AgentOutput#tell] bounds it.
  ///
  /// @param bytes of it, before anything is cut
  /// @param edits the files it changed, if the result itself says so; they override what the call's
  ///   input named
  public record Result(
      boolean failed, @Nullable Integer exitCode, String output, long bytes, List<FileEdit> edits) {
    public Result {
      edits = List.copyOf(edits);
    }

    public Result(boolean failed, @Nullable Integer exitCode, String output, long bytes) {
      this(failed, exitCode, output, bytes, List.of());
    }

    public static Result of(boolean failed, String output) {
      return new Result(failed, null, output, Bounds.bytes(output));
    }

    /// The same, and the files that were changed.
    public Result with(List<FileEdit> changed) {
      return new Result(failed, exitCode, output, bytes, changed);
    }
  }

  /// The call begins, or its input is now known.
  public List<RunEvent> started(String id, String name, JsonNode input) {
    return started(null, id, name, input);
  }

  /// The same of a helper of the agent's own.
  ///
  /// @param spawnedBy the call that began it; null for a call of the agent itself
  public List<RunEvent> started(
      @Nullable String spawnedBy, String id, String name, JsonNode input) {
    Call known = calls.get(id);
    String given = input.isMissingNode() || input.isEmpty() ? "" : input.toString();
    if (known == null) {
      Call call = new Call(prefix + id, name.isBlank() ? NAMELESS : name, subagent(spawnedBy));
      call.is(facts, input);
      calls.put(id, call);
      return List.of(
          new RunEvent.ToolStarted(call.id, call.name, KIND, preview(given), call.subagent));
    }
    if (known.done || given.isEmpty()) {
      return List.of();
    }
    known.is(facts, input);
    calls.put(id, known);
    return List.of(
        new RunEvent.ToolProgress(known.id, known.name, KIND, preview(given), known.subagent));
  }

  /// The call continues.
  public List<RunEvent> progressed(String id) {
    Call known = calls.get(id);
    return known != null && known.done
        ? List.of()
        : List.of(
            new RunEvent.ToolProgress(
                prefix + id,
                known == null ? NAMELESS : known.name,
                KIND,
                null,
                known == null ? null : known.subagent));
  }

  /// The call has ended. With success, what it did follows: the files it changed, the plan.
  public List<RunEvent> ended(String id, Result result) {
    Call known = calls.get(id);
    Call call = known == null ? new Call(prefix + id, NAMELESS, null) : known;
    List<RunEvent> events = ended(call, result);
    calls.put(id, call);
    return events;
  }

  private static List<RunEvent> ended(Call call, Result result) {
    if (call.done) {
      return List.of();
    }
    call.done = true;
    List<RunEvent> events = new ArrayList<>(List.of(end(call, result)));
    if (!result.failed()) {
      List<FileEdit> edits = result.edits().isEmpty() ? call.edits : result.edits();
      edits.forEach(edit -> events.add(edit.told(call.id)));
      call.plan.ifPresent(events::add);
    }
    call.edits = List.of();
    call.plan = Optional.empty();
    return events;
  }

  private static RunEvent end(Call call, Result result) {
    String id = call.id;
    String output = result.output().isEmpty() ? null : result.output();
    Integer exit = result.exitCode();
    long bytes = result.bytes();
    return result.failed()
        ? new RunEvent.ToolFailed(id, call.name, KIND, exit, output, bytes, null, call.subagent)
        : new RunEvent.ToolResult(id, call.name, KIND, exit, output, bytes, null, call.subagent);
  }

  /// The ends of the calls that will report none.
  public List<RunEvent> close() {
    List<RunEvent> events = new ArrayList<>();
    calls.values().forEach(call -> events.addAll(ended(call, new Result(true, null, "", 0))));
    return events;
  }

  /// The name of a helper in events: that of the call which began it.
  public @Nullable String subagent(@Nullable String spawnedBy) {
    return spawnedBy == null ? null : prefix + spawnedBy;
  }

  private static @Nullable String preview(String text) {
    return text.isEmpty()
        ? null
        : Bounds.truncate(Bounds.wellFormed(text), Bounds.MESSAGE_BYTES_MAX);
  }

  private static final class Call {
    private final String id;
    private final String name;
    private final @Nullable String subagent;
    private List<FileEdit> edits = List.of();
    private Optional<RunEvent.TaskProgress> plan = Optional.empty();
    private boolean done;

    Call(String id, String name, @Nullable String subagent) {
      this.id = id;
      this.name = name;
      this.subagent = subagent;
    }

    void is(ToolFacts facts, JsonNode input) {
      edits = facts.edit(name, input).stream().toList();
      plan = facts.plan(name, input);
    }

    long chars() {
      return (long) id.length()
          + name.length()
          + (subagent == null ? 0 : subagent.length())
          + FileEdit.chars(edits)
          + plan.map(PlanReader::chars).orElse(0L);
    }
  }
}
