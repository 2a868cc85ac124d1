package dev.runyard.cli;

import dev.runyard.local.embedded.DataBackup;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "backup",
    description = "Copy the data of a stack as it is now, while the stack runs or not.",
    footer = {
      "",
      "The copy is a data folder itself: 'up --data COPY' continues from it, with",
      "every run that was open, so end the other stack first. Files in its work",
      "folder are not copied."
    })
final class BackupCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      required = true,
      description = "The data folder of the stack.")
  private Path data = Path.of("");

  @Parameters(paramLabel = "COPY", description = "The folder to write, which has no data yet.")
  private Path copy = Path.of("");

  BackupCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    DataBackup.copy(data, copy);
    terminal.line(copy.toString());
    return ExitCode.DONE;
  }
}
