package dev.runyard.agent.host;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.agent.hub.EnrichedEvent;
import dev.runyard.agent.hub.HubEvent;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.message.Message;
import dev.runyard.core.transcript.MessageEvents;
import dev.runyard.core.view.HubView;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/// Writes the events of an agent's hub to the run's log. Text, reasoning and tools have their own
/// event types; what the log has anyway is left out; anything else is stored unchanged. Nothing is
/// written once the run is asked to end, because an attempt that continues would write it again.
final class HubOutput implements Consumer<EnrichedEvent> {
  private static final String TOOL_KIND = "other";

  private final RunnerLink runner;
  private final String role;
  private final Map<String, Deque<String>> openTools = new HashMap<>();
  private int tools;
  private boolean writing;

  HubOutput(RunnerLink runner, String agentName) {
    this.runner = runner;
    this.role = "agent/" + agentName;
  }

  @Override
  public void accept(EnrichedEvent enriched) {
    HubEvent event = enriched.event();
    switch (event.type()) {
      case HubEvent.AGENT_START,
          HubEvent.AGENT_COMPLETE,
          HubEvent.SESSION_PROMPT,
          HubEvent.SESSION_REPLY -> {}
      case HubEvent.SESSION_MESSAGE -> {
        if (event.text("runId").isEmpty()) {
          keep(enriched);
        }
      }
      case HubEvent.AGENT_TEXT -> said(event);
      case HubEvent.AGENT_THINKING ->
          tell(new RunEvent.ReasoningDelta(event.text("content").orElse("")));
      case HubEvent.TOOL_START -> started(event);
      case HubEvent.TOOL_COMPLETE -> completed(event);
      case String _ -> keep(enriched);
    }
  }

  /// Ends the open message, if there is one.
  void finish() {
    if (writing) {
      writing = false;
      tell(new RunEvent.ModelCompleted());
    }
  }

  void listenerBroke(RuntimeException e) {
    tell(
        new RunEvent.RuntimeWarning(
            "listener_broke",
            "A listener on the agent's hub threw " + e.getClass().getSimpleName() + "."));
  }

  private void said(HubEvent event) {
    JsonNode whole = event.members().get(HubEvent.MESSAGE);
    if (whole == null) {
      writing = true;
      tell(new RunEvent.ModelDelta(event.text("content").orElse("")));
      return;
    }
    finish();
    MessageEvents.whole(message(whole)).forEach(this::tell);
  }

  /// The message in the agent's own role, whatever role it had.
  private Message message(JsonNode json) {
    try {
      Message given = JsonFormat.JSON.treeToValue(json, Message.class);
      return new Message(role, given.parts(), given.createdAt(), given.completedAt());
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a message", e);
    }
  }

  private void started(HubEvent event) {
    String name = event.text("toolName").orElse("");
    tools++;
    String id = "tool-" + tools;
    openTools.computeIfAbsent(name, _ -> new ArrayDeque<>()).add(id);
    tell(new RunEvent.ToolStarted(id, name, TOOL_KIND, preview(event, "input")));
  }

  /// Ends the oldest open call of the tool: the protocol gives calls no ids.
  private void completed(HubEvent event) {
    String name = event.text("toolName").orElse("");
    String open = openTools.getOrDefault(name, new ArrayDeque<>()).poll();
    String id = open == null ? "tool-" + ++tools : open;
    String result = preview(event, "result");
    JsonNode error = event.members().get("isError");
    tell(
        error != null && error.asBoolean()
            ? new RunEvent.ToolFailed(id, name, TOOL_KIND, null, result, Bounds.bytes(result))
            : new RunEvent.ToolResult(id, name, TOOL_KIND, null, result, Bounds.bytes(result)));
  }

  private static String preview(HubEvent event, String member) {
    JsonNode value = event.members().get(member);
    if (value == null || value.isNull()) {
      return "";
    }
    return value.isTextual() ? value.textValue() : value.toString();
  }

  private void keep(EnrichedEvent enriched) {
    ObjectNode scope = JsonFormat.JSON.valueToTree(enriched.context().scope());
    tell(HubView.kept(enriched.event().json(), scope));
  }

  private void tell(RunEvent event) {
    if (runner.stopAsked()) {
      return;
    }
    try {
      var _ = runner.tell(event);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
