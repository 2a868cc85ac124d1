package dev.runyard.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "completion",
    description = "Print the completion script for bash and zsh.",
    footer = {"", "Use it with: source <(runyard completion)"})
final class CompletionCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Spec private @Nullable CommandSpec spec;

  CompletionCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (spec != null) {
      terminal.line(AutoComplete.bash("runyard", spec.root().commandLine()));
    }
    return ExitCode.DONE;
  }
}
