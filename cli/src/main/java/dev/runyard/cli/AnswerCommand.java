package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.cli.client.RunyardClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "answer", description = "Answer what a run asks.")
final class AnswerCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      index = "0",
      paramLabel = "ACTION",
      description = "Id of the action, or of a run that asks one thing.")
  private String action = "";

  @Parameters(index = "1", paramLabel = "TEXT", description = "The answer.")
  private String text = "";

  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  AnswerCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (RunyardClient client = server.client(terminal)) {
      Answers answers = new Answers(terminal, output.json());
      return new PendingActions(terminal, client, answers).decide(action, "answer", payload());
    }
  }

  private JsonNode payload() {
    return JsonNodeFactory.instance.textNode(text);
  }
}
