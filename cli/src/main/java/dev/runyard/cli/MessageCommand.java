package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.RunyardClient;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "message", description = "Send the agent of a run a message while it works.")
final class MessageCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(index = "0", paramLabel = "RUN", description = "Id of the run.")
  private String runId = "";

  @Parameters(index = "1", paramLabel = "TEXT", description = "The message.")
  private String text = "";

  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  MessageCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (RunyardClient client = server.client(terminal)) {
      return new Answers(terminal, output.json())
          .show(client.message(runId, text, UUID.randomUUID().toString()), this::print);
    }
  }

  private int print(JsonNode accepted) {
    terminal.line("sent " + accepted.path("message_id").asText());
    return ExitCode.DONE;
  }
}
