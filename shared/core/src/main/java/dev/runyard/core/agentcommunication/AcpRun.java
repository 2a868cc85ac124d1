package dev.runyard.core.agentcommunication;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.message.Message;
import dev.runyard.core.message.MessagePart;
import dev.runyard.core.run.RunFacts;
import dev.runyard.core.run.RunState;
import dev.runyard.core.run.RunStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// A run in the protocol's form.
public final class AcpRun {
  private static final Pattern UUID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private static final String ACTION_TYPE = "application/json";

  private AcpRun() {}

  /// True for a UUID in lower case.
  public static boolean isUuid(String text) {
    return UUID.matcher(text).matches();
  }

  /// The run with `status`; clients get two statuses one after another where the run itself took
  /// two steps at once. A session id that is not a UUID does not fit the protocol and is left out.
  static ObjectNode json(RunState.Existing run, RunStatus status, List<Message> output) {
    RunFacts facts = run.facts();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("run_id", facts.run().runId());
    json.put("agent_name", facts.request().agent());
    if (isUuid(facts.request().sessionId())) {
      json.put("session_id", facts.request().sessionId());
    }
    json.put("status", status.wire());
    if (status == RunStatus.AWAITING) {
      facts.interactions().pending().stream()
          .findFirst()
          .ifPresent(action -> json.set("await_request", awaited(action, role(run))));
    }
    ArrayNode messages = json.putArray("output");
    output.stream().map(AcpMessages::json).forEach(messages::add);
    if (run instanceof RunState.Failed failed) {
      json.set("error", AcpError.of(failed.error()));
    }
    json.put("created_at", JsonFormat.time(facts.createdAt()));
    if (run instanceof RunState.Closed closed) {
      json.put("finished_at", JsonFormat.time(closed.finishedAt()));
    }
    return json;
  }

  static String role(RunState.Existing run) {
    return "agent/" + run.facts().request().agent();
  }

  /// What is awaited, as a message. A message with which the agent asked stays unchanged; for any
  /// other action the first part is its text and the second, named `action`, says how to answer.
  private static ObjectNode awaited(Action action, String role) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("type", "message");
    boolean asked = action.payload() != null && action.payload().path("parts").isArray();
    String at = JsonFormat.time(action.requiredAt());
    Message message =
        asked && action.payload() != null
            ? AcpMessages.asked(action.payload(), role, at)
            : new Message(role, parts(action), at, at);
    return json.set("message", AcpMessages.json(message));
  }

  private static List<MessagePart> parts(Action action) {
    List<MessagePart> parts = new ArrayList<>();
    if (!action.prompt().isEmpty()) {
      parts.add(MessagePart.text(action.prompt()));
    }
    if (action.actionType() != ActionType.MESSAGE) {
      ObjectNode about = JsonNodeFactory.instance.objectNode();
      about.put("action_id", action.actionId()).put("type", action.actionType().wire());
      action.choices().forEach(about.putArray("choices")::add);
      if (action.schema() != null) {
        about.set("schema", action.schema());
      }
      parts.add(new MessagePart(ACTION_TYPE, about.toString(), null, null, "action", null));
    }
    return parts;
  }
}
