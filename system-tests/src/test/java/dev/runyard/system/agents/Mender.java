package dev.runyard.system.agents;

import dev.runyard.agent.AgentContext;
import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.AgentRequest;
import dev.runyard.core.message.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Mends the file `calc` of the folder that it works in, and reports.
public final class Mender implements AgentDefinition {
  @Override
  public String name() {
    return "mender";
  }

  @Override
  public List<Message> execute(AgentRequest request, AgentContext context) throws IOException {
    Path file = Path.of("calc");
    String was = Files.readString(file).strip();
    Files.writeString(file, "mended\n");
    Files.writeString(Path.of("report.html"), "<p>was " + was + "</p>\n");
    return List.of(Message.text("agent/mender", "It was " + was + "."));
  }
}
