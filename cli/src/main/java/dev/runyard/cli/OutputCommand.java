package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.show.SafeText;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "output",
    description = "Print a tool's output that does not fit into its event.",
    footer = {
      "",
      "On a terminal control sequences are removed; a pipe or a file gets it unchanged."
    })
final class OutputCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(index = "0", paramLabel = "RUN", description = "Id of the run.")
  private String runId = "";

  @Parameters(
      index = "1",
      paramLabel = "OUTPUT",
      description = "Id of the output: outputRef of the tool's result.")
  private String outputId = "";

  @Mixin private ServerOption server = new ServerOption();

  OutputCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (RunyardClient client = server.client(terminal)) {
      return new Answers(terminal, false).show(client.output(runId, outputId), this::print);
    }
  }

  private int print(JsonNode output) {
    String text = output.asText();
    terminal.out().print(terminal.interactive() ? SafeText.block(text) : text);
    terminal.flushed();
    return ExitCode.DONE;
  }
}
