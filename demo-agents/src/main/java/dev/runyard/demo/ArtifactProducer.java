package dev.runyard.demo;

import dev.runyard.agent.AgentContext;
import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.AgentRequest;
import dev.runyard.core.agent.AgentCard;
import dev.runyard.core.message.Message;
import dev.runyard.core.message.MessagePart;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Says one message with a sentence and three artifacts.
public final class ArtifactProducer implements AgentDefinition {
  @Override
  public String name() {
    return "artifact_producer";
  }

  @Override
  public String description() {
    return "Answers with a text, a document and an image.";
  }

  @Override
  public AgentCard card() {
    return AgentCard.of(
        List.of("text/plain"), List.of("text/plain", "application/json", "image/png"));
  }

  @Override
  public List<Message> execute(AgentRequest request, AgentContext context) {
    String image =
        Base64.getEncoder().encodeToString("not really an image".getBytes(StandardCharsets.UTF_8));
    return List.of(
        new Message(
            "agent",
            List.of(
                MessagePart.text("Processing with artifacts"),
                artifact("text-result.txt", MessagePart.PLAIN, "This is a text artifact", null),
                artifact("data.json", "application/json", "{\"results\": [1, 2, 3]}", null),
                artifact("image.png", "image/png", image, MessagePart.BASE64)),
            null,
            null));
  }

  private static MessagePart artifact(
      String name, String type, String content, @Nullable String encoding) {
    return new MessagePart(type, content, null, encoding, name, null);
  }
}
