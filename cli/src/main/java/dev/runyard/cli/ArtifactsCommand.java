package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.show.SafeText;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "artifacts", description = "List the artifacts that a run left.")
final class ArtifactsCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(paramLabel = "RUN", description = "Id of the run.")
  private String runId = "";

  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  ArtifactsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (RunyardClient client = server.client(terminal)) {
      return new Answers(terminal, output.json()).show(client.artifacts(runId), this::print);
    }
  }

  private int print(JsonNode answer) {
    for (JsonNode artifact : answer.path("artifacts")) {
      terminal.line(
          "%10d  %s"
              .formatted(
                  artifact.path("bytes").asLong(), SafeText.line(artifact.path("name").asText())));
    }
    return ExitCode.DONE;
  }
}
