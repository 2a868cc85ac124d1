package dev.runyard.core.agentcommunication;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.message.Message;
import dev.runyard.core.message.MessagePart;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Messages in the protocol's form: snake_case, and no member without a value.
public final class AcpMessages {
  private AcpMessages() {}

  public static ObjectNode json(Message message) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("role", message.role());
    message.parts().stream().map(AcpMessages::json).forEach(json.putArray("parts")::add);
    put(json, "created_at", message.createdAt());
    put(json, "completed_at", message.completedAt());
    return json;
  }

  public static ObjectNode json(MessagePart part) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    put(json, "name", part.name());
    json.put("content_type", part.contentType());
    put(json, "content", part.content());
    put(json, "content_encoding", part.contentEncoding());
    put(json, "content_url", part.contentUrl());
    if (part.metadata() != null) {
      json.set("metadata", part.metadata());
    }
    return json;
  }

  /// A message with which an agent asked, in the spelling of clients or of the log.
  static Message asked(JsonNode json, String role, String at) {
    List<MessagePart> parts = new ArrayList<>();
    for (JsonNode part : json.path("parts")) {
      String type = text(part, "content_type", "contentType");
      parts.add(
          new MessagePart(
              type == null ? MessagePart.PLAIN : type,
              text(part, "content", "content"),
              text(part, "content_url", "contentUrl"),
              text(part, "content_encoding", "contentEncoding"),
              text(part, "name", "name"),
              part.hasNonNull("metadata") ? part.get("metadata") : null));
    }
    return new Message(
        json.path("role").asText(role),
        parts,
        Objects.requireNonNullElse(text(json, "created_at", "createdAt"), at),
        Objects.requireNonNullElse(text(json, "completed_at", "completedAt"), at));
  }

  private static @Nullable String text(JsonNode of, String client, String log) {
    JsonNode value = of.has(client) ? of.get(client) : of.path(log);
    return value.textValue();
  }

  private static void put(ObjectNode json, String name, @Nullable String value) {
    if (value != null) {
      json.put(name, value);
    }
  }
}
