package dev.runyard.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "deny", description = "Refuse what a run asks for; its agent continues without it.")
final class DenyCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private ActionToDecide action = new ActionToDecide();

  @Option(names = "--reason", paramLabel = "TEXT", description = "Why; the agent may read it.")
  private String reason = "";

  DenyCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    JsonNodeFactory json = JsonNodeFactory.instance;
    return action.decide(
        terminal, "deny", reason.isEmpty() ? json.nullNode() : json.textNode(reason));
  }
}
