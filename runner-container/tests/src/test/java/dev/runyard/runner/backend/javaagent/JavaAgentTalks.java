package dev.runyard.runner.backend.javaagent;

import dev.runyard.agent.channel.ToAgent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.runner.backend.InteractiveProtocol;
import java.util.List;

/// Conversations with Java agents without a process.
public final class JavaAgentTalks {
  private JavaAgentTalks() {}

  public static InteractiveProtocol fresh() {
    RunKey run = new RunKey("acme", "01980000-0000-7000-8000-000000000001");
    return new JavaAgentConversation(
        new ToAgent.Start("a", "x.A", run, "t-1", "s", "go", List.of(), Interactions.EMPTY),
        Patience.DEFAULT,
        List::of);
  }
}
