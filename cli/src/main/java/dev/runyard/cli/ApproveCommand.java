package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.cli.client.RunyardClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "approve", description = "Allow what a run asks for.")
final class ApproveCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      index = "0",
      paramLabel = "ACTION",
      description = "Id of the action, or of a run that asks one thing.")
  private String action = "";

  @Option(
      names = "--choice",
      paramLabel = "CHOICE",
      description = "One of the choices the action offers.")
  private String choice = "";

  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  ApproveCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (RunyardClient client = server.client(terminal)) {
      Answers answers = new Answers(terminal, output.json());
      return new PendingActions(terminal, client, answers).decide(action, "approve", payload());
    }
  }

  private JsonNode payload() {
    return choice.isEmpty()
        ? JsonNodeFactory.instance.nullNode()
        : JsonNodeFactory.instance.textNode(choice);
  }
}
