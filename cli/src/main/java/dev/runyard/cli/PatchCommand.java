package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.show.SafeText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "patch",
    description = "Print what a run changed as a patch, which git apply takes.",
    footer = {
      "",
      "On a terminal control sequences are removed; a pipe or a file gets it unchanged."
    })
final class PatchCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(paramLabel = "RUN", description = "Id of the run.")
  private String runId = "";

  @Option(
      names = "--whole",
      description = "All that the runs of its session have changed since the repository's commit.")
  private boolean whole;

  @Mixin private ServerOption server = new ServerOption();

  PatchCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (RunyardClient client = server.client(terminal)) {
      return new Answers(terminal, false).on(client.patch(runId, whole), this::print);
    }
  }

  private int print(JsonNode patch) {
    try {
      byte[] bytes = patch.binaryValue();
      if (terminal.interactive()) {
        terminal.out().print(SafeText.block(new String(bytes, StandardCharsets.UTF_8)));
      } else {
        terminal.out().writeBytes(bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    terminal.flushed();
    return ExitCode.DONE;
  }
}
