package dev.runyard.agent.host;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.runyard.agent.AgentContext;
import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.AgentRequest;
import dev.runyard.agent.channel.ToAgent;
import dev.runyard.agent.channel.ToAgentJson;
import dev.runyard.agent.hub.HubEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.InboxMessage;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.message.Message;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/// An agent that does what most agents do. A JVM that has executed it has loaded what they need,
/// which is what a cache for their JVMs is made of.
public final class Rehearsal implements AgentDefinition {
  private static final String NAME = "rehearsal";
  private static final int INPUT_BYTES_MAX = 8_192;
  private static final RunKey RUN = new RunKey("default", "00000000-0000-7000-8000-000000000000");

  /// What a runner writes for its execution; without an end, as a runner's input is.
  static InputStream input() throws IOException {
    PipedOutputStream runner = new PipedOutputStream();
    InputStream input = new PipedInputStream(runner, INPUT_BYTES_MAX);
    for (ToAgent message :
        List.of(
            new ToAgent.Start(
                NAME,
                Rehearsal.class.getName(),
                RUN,
                NAME,
                NAME,
                "go",
                List.of(Message.text("user", "go")),
                Interactions.EMPTY),
            new ToAgent.Input(
                new AgentInput.Said(
                    new InboxMessage(1, Instant.EPOCH, "m", "go on", "", null, 0, null))))) {
      runner.write((ToAgentJson.write(message) + "\n").getBytes(StandardCharsets.US_ASCII));
    }
    return input;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Message> execute(AgentRequest request, AgentContext context)
      throws InterruptedException {
    String run = context.runId();
    context.hub().emit(HubEvent.thinking("so", run));
    context.hub().emit(HubEvent.toolStart("read", TextNode.valueOf("it"), run));
    context.hub().emit(HubEvent.toolComplete("read", TextNode.valueOf("it"), false, run));
    context.write(context.inbox().pop().orElseThrow().content());
    return List.of(Message.text("agent", request.prompt()));
  }
}
