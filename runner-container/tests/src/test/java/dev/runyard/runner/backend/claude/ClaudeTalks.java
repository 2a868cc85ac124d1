package dev.runyard.runner.backend.claude;

import dev.runyard.core.interaction.Interactions;
import dev.runyard.runner.backend.AgentPrompt;
import dev.runyard.runner.backend.CliQuestions;
import dev.runyard.runner.backend.InteractiveProtocol;
import dev.runyard.runner.backend.PlayedTalk;
import java.util.List;

/// Conversations of Claude Code without a process.
public final class ClaudeTalks {
  private ClaudeTalks() {}

  public static InteractiveProtocol fresh() {
    return new ClaudeConversation(
        new ClaudeStream("a/", null),
        new CliQuestions<>(PlayedTalk.standing(Interactions.EMPTY)),
        "attempt-1",
        List.of(),
        List.of(AgentPrompt.of("run", "prompt", "do it")));
  }
}
