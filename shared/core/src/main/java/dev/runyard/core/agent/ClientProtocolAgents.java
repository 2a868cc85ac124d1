package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;

/// The manifests of agents that are talked to over the Agent Client Protocol.
public final class ClientProtocolAgents {
  public static final AgentKind CLAUDE_AGENT = new AgentKind("claude_agent_acp");
  public static final AgentKind CODEX = new AgentKind("codex_acp");
  public static final AgentKind COPILOT = new AgentKind("copilot_acp");
  public static final AgentKind GEMINI = new AgentKind("gemini_acp");
  public static final AgentKind OPENCODE = new AgentKind("opencode_acp");
  public static final AgentKind QWEN = new AgentKind("qwen_acp");

  private ClientProtocolAgents() {}

  /// What differs among them.
  ///
  /// @param model whether a request may name a model
  /// @param queues whether the agent takes messages while it works
  /// @param resumes whether the agent goes on in a conversation it had before
  public record Offer(boolean model, boolean queues, boolean resumes) {}

  static List<AgentManifest> all() {
    return List.of(
        manifest(
            CLAUDE_AGENT,
            "Claude Agent",
            "Anthropic's coding agent behind `claude-agent-acp`.",
            new Offer(true, true, true)),
        manifest(
            CODEX,
            "Codex over ACP",
            "OpenAI's coding agent behind `codex-acp`.",
            new Offer(true, false, true)),
        manifest(
            COPILOT,
            "GitHub Copilot over ACP",
            "GitHub's coding agent, run as `copilot --acp`.",
            new Offer(true, false, false)),
        manifest(
            GEMINI,
            "Gemini CLI over ACP",
            "Google's coding agent, run as `gemini --acp`.",
            new Offer(true, false, false)),
        manifest(
            OPENCODE,
            "opencode over ACP",
            "An open coding agent, run as `opencode acp`.",
            new Offer(true, false, false)),
        manifest(
            QWEN,
            "Qwen Code over ACP",
            "The coding agent of the Qwen models, run as `qwen --acp`.",
            new Offer(true, false, false)));
  }

  /// The manifest of an agent that speaks the protocol.
  public static AgentManifest manifest(
      AgentKind kind, String title, String description, Offer offer) {
    SortedSet<String> capabilities = Capabilities.ofACli();
    List<ExtensionDefinition> extensions =
        new ArrayList<>(
            List.of(StandardExtensions.nonInteractive(), StandardExtensions.approval(kind)));
    if (offer.queues()) {
      capabilities.add(Capabilities.MESSAGE);
    }
    if (offer.model()) {
      extensions.add(StandardExtensions.model());
    }
    if (offer.resumes()) {
      extensions.add(StandardExtensions.sessionResume());
    }
    return new AgentManifest(
        kind,
        title,
        description,
        capabilities,
        extensions,
        List.of(
            new ExtensionRule(
                StandardExtensions.approvalKey(kind),
                MissingNode.getInstance(),
                Capabilities.NON_INTERACTIVE,
                JsonNodeFactory.instance.booleanNode(false))));
  }
}
