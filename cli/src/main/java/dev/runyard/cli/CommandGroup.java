package dev.runyard.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// A command that only groups others.
abstract class CommandGroup implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  /// The commands in it.
  abstract List<Callable<Integer>> commands();

  @Override
  public Integer call() {
    throw new ParameterException(
        spec.commandLine(),
        "a command is missing: " + String.join(", ", spec.subcommands().keySet()));
  }
}
