package dev.runyard.cli;

import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

@Command(
    name = "completion",
    description = "Print the completion script for bash and zsh.",
    footer = {"", "Use it with: source <(runyard completion)"})
final class CompletionCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Supplier<CommandLine> whole;

  /// @param whole command line, with all commands
  CompletionCommand(Terminal terminal, Supplier<CommandLine> whole) {
    this.terminal = terminal;
    this.whole = whole;
  }

  @Override
  public Integer call() {
    terminal.line(AutoComplete.bash("runyard", whole.get()));
    return ExitCode.DONE;
  }
}
