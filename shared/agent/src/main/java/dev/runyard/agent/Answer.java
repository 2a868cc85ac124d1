package dev.runyard.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.message.Message;
import dev.runyard.core.message.MessagePart;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A decision by a person, or by the end of its time.
///
/// @param payload of the decision: a text, a message, or any other JSON
public record Answer(ActionDecision decision, @Nullable JsonNode payload) {
  private static final String USER = "user";
  private static final String JSON = "application/json";

  public static Answer of(Action action) {
    Action.Resolution resolution = action.resolution();
    if (resolution == null) {
      throw new IllegalArgumentException("not decided: " + action.actionId());
    }
    return new Answer(resolution.decision(), resolution.payload());
  }

  /// True for a permission that was granted and a question that was answered.
  public boolean granted() {
    return decision == ActionDecision.APPROVE || decision == ActionDecision.ANSWER;
  }

  /// The answer as a message; without parts if the decision has no payload.
  public Message message() {
    JsonNode at = payload == null ? MissingNode.getInstance() : payload;
    at = at.path("message").isObject() ? at.path("message") : at;
    if (at.isTextual()) {
      return Message.text(USER, at.textValue());
    }
    if (at.path("parts").isArray()) {
      List<MessagePart> parts = new ArrayList<>();
      at.path("parts").forEach(part -> parts.add(part(part)));
      return new Message(
          at.path("role").asText(USER),
          parts,
          member(at, "created_at", "createdAt"),
          member(at, "completed_at", "completedAt"));
    }
    return at.isMissingNode() || at.isNull()
        ? new Message(USER, List.of(), null, null)
        : new Message(
            USER,
            List.of(new MessagePart(JSON, at.toString(), null, null, null, null)),
            null,
            null);
  }

  /// The answer's text; empty if there is none.
  public String text() {
    return message().text();
  }

  private static MessagePart part(JsonNode part) {
    String type = member(part, "content_type", "contentType");
    return new MessagePart(
        type == null ? MessagePart.PLAIN : type,
        member(part, "content", "content"),
        member(part, "content_url", "contentUrl"),
        member(part, "content_encoding", "contentEncoding"),
        member(part, "name", "name"),
        part.get("metadata"));
  }

  /// Clients and the log spell members differently.
  private static @Nullable String member(JsonNode of, String client, String log) {
    return of.path(client).asText(of.path(log).asText(null));
  }
}
