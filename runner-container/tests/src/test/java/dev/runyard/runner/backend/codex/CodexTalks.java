package dev.runyard.runner.backend.codex;

import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.runner.backend.AgentPrompt;
import dev.runyard.runner.backend.CliQuestions;
import dev.runyard.runner.backend.InteractiveProtocol;
import dev.runyard.runner.backend.PlayedTalk;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Conversations of Codex without a process.
public final class CodexTalks {
  private CodexTalks() {}

  public static InteractiveProtocol fresh() {
    Path workspace = Path.of("/space/x");
    CodexThread thread = new CodexThread.Fresh();
    CodexOptions options =
        CodexOptions.of(Map.of(Capabilities.NON_INTERACTIVE, BooleanNode.FALSE), workspace);
    return new CodexConversation(
        new CodexStream("a/", null, thread),
        new CodexLines(new CodexRun(options, thread, "do it", workspace, Map.of()), null),
        new CliQuestions<>(PlayedTalk.standing(Interactions.EMPTY)),
        "attempt-1",
        List.of(),
        List.of(AgentPrompt.of("run", "prompt", "do it")));
  }
}
