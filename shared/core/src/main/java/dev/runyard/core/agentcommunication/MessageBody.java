package dev.runyard.core.agentcommunication;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.runyard.core.message.InputCheck;
import dev.runyard.core.message.Message;
import dev.runyard.core.message.MessagePart;
import dev.runyard.core.problem.Pointer;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads a client's messages. The text of a time in UTC stays unchanged, any other time becomes
/// UTC.
final class MessageBody {
  private static final Set<String> ENCODINGS = Set.of("plain", MessagePart.BASE64);
  private static final Set<String> KINDS = Set.of("citation", "trajectory");
  private static final Pattern URI =
      Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:[^\\s\"<>\\\\^`{|}]+");

  private final RequestFields reading;

  MessageBody(RequestFields reading) {
    this.reading = reading;
  }

  /// True for an absolute URI.
  static boolean isUri(String text) {
    return URI.matcher(text).matches();
  }

  List<Message> messages(ArrayNode list, String at) {
    List<Message> messages = new ArrayList<>();
    for (JsonNode item : list) {
      messages.add(message(item, Pointer.child(at, String.valueOf(messages.size()))));
    }
    return checked(messages, at);
  }

  Message single(JsonNode json, String at) {
    return checked(List.of(message(json, at)), at).getFirst();
  }

  private List<Message> checked(List<Message> messages, String at) {
    if (reading.error().isEmpty()) {
      InputCheck.problem(messages).ifPresent(detail -> reading.refuse(at, detail));
    }
    return messages;
  }

  private Message message(JsonNode json, String at) {
    if (!json.isObject()) {
      reading.refuse(at, "A message must be an object");
    }
    List<MessagePart> parts = new ArrayList<>();
    for (JsonNode part : reading.list(json, at, "parts")) {
      parts.add(part(part, Pointer.child(at + "/parts", String.valueOf(parts.size()))));
    }
    return new Message(
        reading.required(json, at, "role"),
        parts,
        time(json, at, "created_at"),
        time(json, at, "completed_at"));
  }

  private MessagePart part(JsonNode json, String at) {
    if (!json.isObject()) {
      reading.refuse(at, "A part must be an object");
    }
    Optional<String> url = reading.text(json, at, "content_url");
    if (url.isPresent() && !isUri(url.get())) {
      reading.refuse(at + "/content_url", "content_url must be a URI");
    }
    Optional<JsonNode> metadata = reading.object(json, at, "metadata").map(JsonNode.class::cast);
    metadata.ifPresent(about -> reading.choice(about, at + "/metadata", "kind", KINDS));
    if (metadata.isPresent() && !metadata.get().hasNonNull("kind")) {
      reading.refuse(at + "/metadata/kind", "kind is required");
    }
    return new MessagePart(
        reading.text(json, at, "content_type").orElse(MessagePart.PLAIN),
        reading.text(json, at, "content").orElse(null),
        url.orElse(null),
        reading.choice(json, at, "content_encoding", ENCODINGS).orElse(null),
        reading.text(json, at, "name").orElse(null),
        metadata.orElse(null));
  }

  private @Nullable String time(JsonNode json, String at, String name) {
    Optional<String> text = reading.text(json, at, name);
    if (text.isEmpty()) {
      return null;
    }
    try {
      Instant instant = OffsetDateTime.parse(text.get()).toInstant();
      return text.get().endsWith("Z") ? text.get() : DateTimeFormatter.ISO_INSTANT.format(instant);
    } catch (DateTimeException _) {
      reading.refuse(Pointer.child(at, name), name + " must be a time like 2026-01-31T12:00:00Z");
      return null;
    }
  }
}
