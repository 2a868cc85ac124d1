package dev.runyard.core.agent;

/// An agent that the operator's document describes, without a line of code.
public sealed interface DescribedAgent permits CommandTemplate, ClientProtocolTemplate {
  AgentKind kind();

  /// What an agent of this kind offers: only what the description has a place for.
  AgentManifest manifest();
}
