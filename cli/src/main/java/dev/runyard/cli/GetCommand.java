package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.show.RunText;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "get", description = "Show one run.")
final class GetCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(paramLabel = "RUN", description = "Id of the run.")
  private String runId = "";

  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  GetCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (RunyardClient client = server.client(terminal)) {
      return new Answers(terminal, output.json()).show(client.run(runId), this::print);
    }
  }

  private int print(JsonNode run) {
    RunText.facts(run, terminal.style()).forEach(terminal::line);
    return ExitCode.DONE;
  }
}
