package dev.runyard.local.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/// What an agent sent to the model, independent of the wire format.
///
/// @param id distinguishes the conversation from those of other agents
/// @param shape JSON Schema of the reply, empty for a reply in prose
/// @param size characters of the whole request, from which tokens are estimated
public record Conversation(
    String id,
    String model,
    List<Entry> entries,
    List<OfferedTool> tools,
    Optional<JsonNode> shape,
    long size) {

  public Conversation {
    entries = List.copyOf(entries);
    tools = List.copyOf(tools);
  }

  /// One part of the history, oldest first.
  public sealed interface Entry {

    /// A text of the user, or one the agent CLI wrote in the user's name.
    record User(String text) implements Entry {}

    /// A reply or a tool call of the model.
    record Model() implements Entry {}

    /// The result of one tool call.
    record ToolResult(String text) implements Entry {}
  }
}
