package dev.runyard.core.view.agentapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.event.TaskBlocked;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.message.OutputPart;
import dev.runyard.core.run.RunState;
import dev.runyard.core.usage.Usage;
import dev.runyard.core.view.RenderedEvent;
import dev.runyard.core.view.View;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A run in the form of the Universal Agent API. Every stored event except the last is an event
/// here, with the stored sequence as its cursor; the last is the completion (see [RunCompletion]).
public final class AgentApiView implements View.Completing {
  public static final String NAME = "agent_api";

  private static final String STATUS = "status";

  /// Codes of warnings about output that could not be classified.
  private static final Set<String> UNCLASSIFIED = Set.of("unknown_output", "unreadable_output");

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private @Nullable AgentKind agent;

  @Override
  public Past past() {
    return Past.FIRST_EVENT;
  }

  @Override
  public List<RenderedEvent> render(StoredEvent stored) {
    if (stored.event() instanceof RunEvent.TaskCreated created) {
      agent = new AgentKind(created.agent());
    }
    if (agent == null) {
      throw new IllegalStateException("the run's first event was not seen");
    }
    return RunCompletion.isEnd(stored)
        ? List.of()
        : events(agent, stored).stream()
            .map(event -> new RenderedEvent(event.kind().wire(), json(stored, event).toString()))
            .toList();
  }

  @Override
  public Optional<RenderedEvent> completion(RunState run) {
    return RunCompletion.of(run)
        .map(json -> new RenderedEvent(RunCompletion.NAME, json.toString()));
  }

  /// The events of a stored event, within their bounds: one, or more where its text is longer than
  /// an event's may be.
  ///
  /// @param agent the kind of agent the run is for
  static List<AgentEvent> events(AgentKind agent, StoredEvent stored) {
    return event(agent, stored).bounded();
  }

  /// The wire form of an event, with its place in the run.
  static ObjectNode json(StoredEvent at, AgentEvent event) {
    return placed(at.sequence(), at.timestamp()).setAll(event.json());
  }

  static ObjectNode placed(long sequence, Instant at) {
    return JSON.objectNode().put("sequence", sequence).put("timestamp", JsonFormat.time(at));
  }

  private static AgentEvent event(AgentKind agent, StoredEvent stored) {
    return switch (stored.event()) {
      case RunEvent.ModelDelta(var _, OutputPart part) when part != null && !part.textual() ->
          part(agent, part);
      case RunEvent.ModelDelta delta -> text(agent, "assistant", delta.text());
      case RunEvent.ReasoningDelta delta -> text(agent, "reasoning", delta.text());
      case RunEvent.ToolStarted tool ->
          tool(
              agent,
              AgentEvent.Kind.TOOL_CALL,
              Facets.tool(
                  stored,
                  Facets.Phase.START,
                  tool.toolCallId(),
                  tool.name(),
                  tool.kind(),
                  null,
                  0));
      case RunEvent.ToolProgress tool ->
          tool(
              agent,
              AgentEvent.Kind.TOOL_CALL,
              Facets.tool(
                  stored,
                  Facets.Phase.DELTA,
                  tool.toolCallId(),
                  tool.name(),
                  tool.kind(),
                  null,
                  0));
      case RunEvent.ToolResult tool ->
          tool(
              agent,
              AgentEvent.Kind.TOOL_RESULT,
              Facets.tool(
                  stored,
                  Facets.Phase.COMPLETE,
                  tool.toolCallId(),
                  tool.name(),
                  tool.kind(),
                  tool.exitCode(),
                  tool.outputBytes()));
      case RunEvent.ToolFailed tool ->
          tool(
              agent,
              AgentEvent.Kind.TOOL_RESULT,
              Facets.tool(
                  stored,
                  Facets.Phase.FAIL,
                  tool.toolCallId(),
                  tool.name(),
                  tool.kind(),
                  tool.exitCode(),
                  tool.outputBytes()));
      case RunEvent.SessionUpdated session -> session(agent, session.nativeSessionId());
      case RunEvent.RuntimeWarning warning when UNCLASSIFIED.contains(warning.code()) ->
          unknown(agent, warning.code());
      case RunEvent.RuntimeWarning warning -> status(agent, warning.message(), null);
      case TaskBlocked blocked -> status(agent, blocked.error().message(), null);
      case RunEvent.RuntimeError error ->
          new AgentEvent(agent, AgentEvent.Kind.ERROR, "error", null, error.message(), null);
      case RunEvent.OutputTruncated cut ->
          status(
              agent,
              "%s of %d bytes cut or left out, the limit is %d"
                  .formatted(cut.what(), cut.bytes(), cut.bytesMax()),
              null);
      case RunEvent.CostRecorded cost -> status(agent, "usage", usage(cost.usage()));
      case RunEvent.RunStatus status -> status(agent, status.phase(), null);
      case RunEvent.Other other -> unknown(agent, other.type());
      case RunEvent.Output _, RunEvent.StateChange _, RunEvent.Interaction _, RunEvent.Notice _ ->
          status(agent, stored.type(), null);
    };
  }

  private static AgentEvent text(AgentKind agent, String channel, String text) {
    return new AgentEvent(agent, AgentEvent.Kind.TEXT_OUTPUT, channel, text, null, null);
  }

  private static AgentEvent unknown(AgentKind agent, String type) {
    JsonNode data = JSON.objectNode().put("type", type);
    return new AgentEvent(agent, AgentEvent.Kind.UNKNOWN, null, null, null, data);
  }

  /// A part that is not text, such as an image: its description, because its content cannot be
  /// shown.
  private static AgentEvent part(AgentKind agent, OutputPart part) {
    ObjectNode data = JSON.objectNode();
    data.putObject("part")
        .put("content_type", part.contentType())
        .put("name", part.name())
        .put("content_url", part.contentUrl());
    return status(agent, "part", data);
  }

  private static AgentEvent tool(AgentKind agent, AgentEvent.Kind kind, JsonNode data) {
    return new AgentEvent(agent, kind, "tool", null, null, data);
  }

  private static AgentEvent session(AgentKind agent, String id) {
    Optional<ObjectNode> handle = Facets.session(id);
    return handle.isPresent()
        ? status(agent, "session started", handle.get())
        : status(
            agent,
            "session handle omitted: id exceeds %d bytes".formatted(Facets.SESSION_ID_BYTES_MAX),
            null);
  }

  private static AgentEvent status(AgentKind agent, String message, @Nullable JsonNode data) {
    return new AgentEvent(agent, AgentEvent.Kind.STATUS, STATUS, null, message, data);
  }

  private static JsonNode usage(Usage usage) {
    ObjectNode data = JSON.objectNode();
    data.putObject("usage")
        .put("input_tokens", usage.inputTokens())
        .put("cached_input_tokens", usage.cachedInputTokens())
        .put("cache_write_tokens", usage.cacheWriteTokens())
        .put("output_tokens", usage.outputTokens())
        .put("reasoning_tokens", usage.reasoningTokens())
        .put("turns", usage.turns())
        .put("cost_usd", usage.costUsd());
    return data;
  }
}
