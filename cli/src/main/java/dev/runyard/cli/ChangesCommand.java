package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.show.SafeText;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "changes",
    description = "List the files that a run changed.",
    footer = {"", "A run keeps what it changes if its request has a workspace."})
final class ChangesCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(paramLabel = "RUN", description = "Id of the run.")
  private String runId = "";

  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  ChangesCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (RunyardClient client = server.client(terminal)) {
      return new Answers(terminal, output.json()).show(client.changes(runId), this::print);
    }
  }

  private int print(JsonNode changes) {
    for (JsonNode file : changes.path("files")) {
      String from = file.path("from").asText();
      terminal.line(
          "%-8s %6s %6s  %s"
              .formatted(
                  SafeText.line(file.path("kind").asText()),
                  lines('+', file.path("lines_added")),
                  lines('-', file.path("lines_removed")),
                  SafeText.line(
                      (from.isEmpty() ? "" : from + " -> ") + file.path("path").asText())));
    }
    terminal.note(
        "%d files, %d lines added, %d removed, on %s"
            .formatted(
                changes.path("files_total").asLong(),
                changes.path("lines_added").asLong(),
                changes.path("lines_removed").asLong(),
                SafeText.line(changes.path("base_commit").asText())));
    if (changes.has("whole")) {
      terminal.note(
          "%d files with what earlier runs changed, on %s: patch --whole"
              .formatted(
                  changes.path("whole").path("files_total").asLong(),
                  SafeText.line(changes.path("whole").path("base_commit").asText())));
    }
    for (JsonNode left : changes.path("left_out")) {
      terminal.note(
          SafeText.line(
              "left out (%s): %s"
                  .formatted(left.path("reason").asText(), left.path("path").asText())));
    }
    if (!changes.has("patch")) {
      terminal.note(
          changes.has("workspace")
              ? "The change is too large for a patch: download --workspace saves all files."
              : "The change is too large for a patch, and the files for an archive.");
    }
    return ExitCode.DONE;
  }

  private static String lines(char sign, JsonNode count) {
    return count.isNumber() ? sign + count.asText() : "";
  }
}
