package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;

/// A program that speaks the Agent Client Protocol, as the operator's document describes it.
///
/// @param modelArgs added after the program's arguments when a model is named; `{model}` stands for
///   it
/// @param messages whether it accepts prompts while it works on one
/// @param sessions paths below the agent's home that hold its conversations; without any, none can
///   continue
public record ClientProtocolTemplate(
    AgentKind kind,
    String title,
    String description,
    List<String> modelArgs,
    boolean messages,
    List<String> sessions)
    implements DescribedAgent {
  public static final String MODEL = CommandTemplate.MODEL;

  private static final Set<String> MEMBERS =
      Set.of("title", "description", "model_args", "messages", "sessions");

  public ClientProtocolTemplate {
    modelArgs = List.copyOf(modelArgs);
    sessions = List.copyOf(sessions);
  }

  @Override
  public AgentManifest manifest() {
    SortedSet<String> capabilities = Capabilities.ofACli();
    if (messages) {
      capabilities.add(Capabilities.MESSAGE);
    }
    List<ExtensionDefinition> extensions =
        new ArrayList<>(
            List.of(StandardExtensions.nonInteractive(), StandardExtensions.approval(kind)));
    if (!modelArgs.isEmpty()) {
      extensions.add(StandardExtensions.model());
    }
    if (!sessions.isEmpty()) {
      extensions.add(StandardExtensions.sessionResume());
      capabilities.add(Capabilities.PAUSE);
    }
    return new AgentManifest(kind, title, description, capabilities, extensions, List.of());
  }

  /// Reads the `acp` member of an agent in the operator's document.
  ///
  /// @param at the member's place in the document
  static ClientProtocolTemplate read(AgentKind kind, JsonNode node, String at) {
    AgentSettings.object(node, at, MEMBERS);
    return new ClientProtocolTemplate(
        kind,
        AgentSettings.text(node, at, "title").orElse(kind.name()),
        AgentSettings.text(node, at, "description")
            .orElse("An agent of the Agent Client Protocol."),
        CommandReader.with(CommandTemplate.MODEL, node, at, "model_args"),
        AgentSettings.flag(node, at, "messages"),
        CommandReader.sessions(node, at));
  }
}
