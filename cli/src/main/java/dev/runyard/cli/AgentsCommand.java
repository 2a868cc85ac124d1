package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.client.ServerReply;
import dev.runyard.cli.show.SafeText;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "agents", description = "Show the kinds of agents, or one with all it can do.")
final class AgentsCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(arity = "0..1", paramLabel = "KIND", description = "Agent kind, such as codex.")
  private String kind = "";

  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  AgentsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (RunyardClient client = server.client(terminal)) {
      ServerReply reply = kind.isEmpty() ? client.agents() : client.agent(kind);
      return new Answers(terminal, output.json()).show(reply, this::print);
    }
  }

  private int print(JsonNode body) {
    if (body.path("agents").isArray()) {
      body.path("agents").forEach(this::summary);
    } else {
      summary(body);
      body.path("capabilities").forEach(id -> terminal.line("  " + id.asText()));
      body.path("interactive_capabilities")
          .forEach(id -> terminal.line("  " + id.asText() + "  in runs that may ask people"));
      body.path("extensions").path("properties").properties().forEach(this::extension);
    }
    return ExitCode.DONE;
  }

  private void summary(JsonNode agent) {
    String name = agent.path("kind").asText(agent.path("name").asText());
    terminal.line(
        terminal.style().name(name)
            + "  "
            + agent.path("capabilities").size()
            + " capabilities  "
            + SafeText.line(agent.path("description").asText()));
  }

  private void extension(Map.Entry<String, JsonNode> extension) {
    JsonNode schema = extension.getValue();
    String standard = schema.has("default") ? " Default: " + schema.path("default") + "." : "";
    terminal.line(
        "  --ext "
            + extension.getKey()
            + "=JSON  "
            + schema.path("description").asText()
            + standard);
  }
}
