package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.cli.client.RunyardClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "deny", description = "Refuse what a run asks for; its agent goes on without.")
final class DenyCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      index = "0",
      paramLabel = "ACTION",
      description = "Id of the action, or of a run that asks one thing.")
  private String action = "";

  @Option(names = "--reason", paramLabel = "TEXT", description = "Why; the agent may read it.")
  private String reason = "";

  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  DenyCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (RunyardClient client = server.client(terminal)) {
      Answers answers = new Answers(terminal, output.json());
      return new PendingActions(terminal, client, answers).decide(action, "deny", payload());
    }
  }

  private JsonNode payload() {
    return reason.isEmpty()
        ? JsonNodeFactory.instance.nullNode()
        : JsonNodeFactory.instance.textNode(reason);
  }
}
