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

/// Says one part whose content is encoded.
public final class Base64Encoding implements AgentDefinition {
  @Override
  public String name() {
    return "base64_encoding";
  }

  @Override
  public String description() {
    return "Answers with an image in base64.";
  }

  @Override
  public AgentCard card() {
    return AgentCard.of(List.of("text/plain"), List.of("image/png"));
  }

  @Override
  public List<Message> execute(AgentRequest request, AgentContext context) {
    String image =
        Base64.getEncoder().encodeToString("not really an image".getBytes(StandardCharsets.UTF_8));
    return List.of(
        new Message(
            "agent",
            List.of(new MessagePart("image/png", image, null, MessagePart.BASE64, null, null)),
            null,
            null));
  }
}
