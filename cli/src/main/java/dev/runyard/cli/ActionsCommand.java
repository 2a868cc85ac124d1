package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.show.SafeText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "actions", description = "Show what a run asked people, and what they decided.")
final class ActionsCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(paramLabel = "RUN", description = "Id of the run.")
  private String runId = "";

  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  ActionsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (RunyardClient client = server.client(terminal)) {
      return new Answers(terminal, output.json()).show(client.actions(runId), this::print);
    }
  }

  private int print(JsonNode body) {
    if (body.path("actions").isEmpty()) {
      terminal.note("nothing was asked");
    }
    for (JsonNode action : body.path("actions")) {
      boolean pending = action.path("status").asText().equals("pending");
      String state = pending ? "pending" : action.path("decision").asText();
      terminal.line(
          action.path("action_id").asText()
              + "  "
              + (pending ? terminal.style().name(state) : terminal.style().dim(state))
              + "  "
              + SafeText.line(action.path("prompt").asText()));
      List<String> choices = new ArrayList<>();
      action.path("choices").forEach(choice -> choices.add(choice.asText()));
      if (pending && !choices.isEmpty()) {
        terminal.line("    choices: " + SafeText.line(String.join(" | ", choices)));
      }
    }
    return ExitCode.DONE;
  }
}
