package dev.runyard.local.template;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/// A role of the stack and its policies.
///
/// @param name the logical id of a function, whose role SAM creates, or of a role
public record RoleDeclaration(String name, List<Document> documents) {

  public RoleDeclaration {
    documents = List.copyOf(documents);
  }

  /// The statements of one policy document.
  ///
  /// @param origin its place in the template, for messages
  /// @param statements one or a list, with every ARN filled in
  /// @param implied whether SAM adds it by itself
  public record Document(String origin, JsonNode statements, boolean implied) {}
}
