package dev.runyard.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "approve", description = "Allow what a run asks for.")
final class ApproveCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private ActionToDecide action = new ActionToDecide();

  @Option(
      names = "--choice",
      paramLabel = "CHOICE",
      description = "One of the choices the action offers.")
  private String choice = "";

  ApproveCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    JsonNodeFactory json = JsonNodeFactory.instance;
    return action.decide(
        terminal, "approve", choice.isEmpty() ? json.nullNode() : json.textNode(choice));
  }
}
