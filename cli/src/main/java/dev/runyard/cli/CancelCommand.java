package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.RunyardClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "cancel", description = "Ask a run to stop; its whole process tree is ended.")
final class CancelCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(paramLabel = "RUN", description = "Id of the run.")
  private String runId = "";

  @Option(names = "--reason", paramLabel = "TEXT", description = "Why; kept with the run.")
  private String reason = "";

  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  CancelCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (RunyardClient client = server.client(terminal)) {
      return new Answers(terminal, output.json()).show(client.cancel(runId, reason), this::print);
    }
  }

  private int print(JsonNode run) {
    String status = run.path("status").asText();
    terminal.line(terminal.style().status(status) + " " + runId);
    return ExitCode.DONE;
  }
}
