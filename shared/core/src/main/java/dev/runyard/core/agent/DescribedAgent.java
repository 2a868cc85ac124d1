package dev.runyard.core.agent;

/// An agent that the operator's document describes, without code.
public sealed interface DescribedAgent permits CommandTemplate, ClientProtocolTemplate {
  AgentKind kind();

  /// What an agent of this kind offers: only what its description mentions.
  AgentManifest manifest();
}
