package dev.runyard.demo;

import dev.runyard.agent.AgentContext;
import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.AgentRequest;
import dev.runyard.core.agent.AgentCard;
import dev.runyard.core.message.Message;
import dev.runyard.core.message.MessagePart;
import java.util.List;

/// Says one message of parts of several content types, which its card declares.
public final class MimeTypes implements AgentDefinition {
  @Override
  public String name() {
    return "mime_types";
  }

  @Override
  public String description() {
    return "Answers in HTML, JSON, JavaScript and CSS.";
  }

  @Override
  public AgentCard card() {
    return AgentCard.of(
        List.of("text/plain"),
        List.of("text/html", "application/json", "application/javascript", "text/css"));
  }

  @Override
  public List<Message> execute(AgentRequest request, AgentContext context) {
    return List.of(
        new Message(
            "agent",
            List.of(
                part("text/html", "<h1>HTML Content</h1>"),
                part("application/json", "{\"key\": \"value\"}"),
                part("application/javascript", "console.log('Hello, World!');"),
                part("text/css", "body { color: blue; }")),
            null,
            null));
  }

  private static MessagePart part(String type, String content) {
    return new MessagePart(type, content, null, null, null, null);
  }
}
