package dev.runyard.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "answer", description = "Answer what a run asks.")
final class AnswerCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private ActionToDecide action = new ActionToDecide();

  @Parameters(index = "1", paramLabel = "TEXT", description = "The answer.")
  private String text = "";

  AnswerCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    JsonNodeFactory json = JsonNodeFactory.instance;
    return action.decide(terminal, "answer", json.textNode(text));
  }
}
