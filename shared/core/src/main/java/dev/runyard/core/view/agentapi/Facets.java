package dev.runyard.core.view.agentapi;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.limits.Bounds;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Parts of an event's data that have their own form, named by `schema`.
final class Facets {
  static final int SESSION_ID_BYTES_MAX = 1024;

  private Facets() {}

  /// The progress of a tool call.
  enum Phase {
    START("start", "running"),
    DELTA("delta", "running"),
    COMPLETE("complete", "completed"),
    FAIL("fail", "failed");

    private final String wire;
    private final String status;

    Phase(String wire, String status) {
      this.wire = wire;
      this.status = status;
    }
  }

  /// What is known about a tool call: never its input, its output or a change it made.
  static ObjectNode tool(
      StoredEvent at,
      Phase phase,
      String callId,
      String name,
      String kind,
      @Nullable Integer exitCode,
      long resultBytes) {
    ObjectNode data = schema(Capabilities.TOOLS_STRUCTURED);
    ObjectNode tool = data.putObject("tool");
    tool.put("backend_item_id", callId);
    tool.put("thread_id", at.turn().threadId());
    tool.put("turn_id", at.turn().turnId());
    tool.put("kind", kind);
    tool.put("phase", phase.wire);
    tool.put("status", phase.status);
    tool.put("exit_code", exitCode);
    ObjectNode bytes = tool.putObject("bytes");
    bytes.put("stdout", 0).put("stderr", 0).put("diff", 0).put("result", resultBytes);
    tool.put("tool_name", name);
    tool.put("tool_use_id", callId);
    return data;
  }

  /// The agent's own id of its session; empty if there is none to resume. An id that is too long is
  /// left out, because a part of it would name nothing.
  static Optional<ObjectNode> session(@Nullable String id) {
    String handle = id == null ? "" : id.strip();
    if (handle.isEmpty() || Bounds.bytes(handle) > SESSION_ID_BYTES_MAX) {
      return Optional.empty();
    }
    ObjectNode data = schema(Capabilities.SESSION_HANDLE);
    data.putObject("session").put("id", handle);
    return Optional.of(data);
  }

  private static ObjectNode schema(String id) {
    return JsonNodeFactory.instance.objectNode().put("schema", id);
  }
}
