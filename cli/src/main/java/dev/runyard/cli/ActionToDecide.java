package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.RunyardClient;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// The common options of the deciding commands: which action, on which server.
final class ActionToDecide {
  @Parameters(
      index = "0",
      paramLabel = "ACTION",
      description = "Id of the action, or of a run with one pending action.")
  private String action = "";

  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  int decide(Terminal terminal, String decision, JsonNode payload) {
    try (RunyardClient client = server.client(terminal)) {
      Answers answers = new Answers(terminal, output.json());
      return new PendingActions(terminal, client, answers).decide(action, decision, payload);
    }
  }
}
