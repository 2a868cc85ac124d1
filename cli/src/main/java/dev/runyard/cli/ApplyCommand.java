package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.show.SafeText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "apply",
    description = "Apply what a run changed to the working tree of a repository, and to its index.",
    footer = {
      "",
      "Files that you have changed since are left alone: then nothing is applied, and they are"
          + " named.",
      "If the repository is at another commit than the run began with, git merges."
    })
final class ApplyCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(paramLabel = "RUN", description = "Id of the run.")
  private String runId = "";

  @Option(
      names = "--repo",
      paramLabel = "DIR",
      description = "The repository; this folder if absent.")
  private Path repository = Path.of("");

  @Mixin private ServerOption server = new ServerOption();

  ApplyCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (RunyardClient client = server.client(terminal)) {
      Answers answers = new Answers(terminal, false);
      return answers.on(
          client.changes(runId),
          changes -> answers.on(client.patch(runId), patch -> apply(changes, patch)));
    }
  }

  private int apply(JsonNode changes, JsonNode patch) {
    try {
      PatchedTree.Applied applied =
          new PatchedTree(repository.toAbsolutePath())
              .apply(patch.binaryValue(), changes.path("base_commit").asText());
      return switch (applied) {
        case PatchedTree.Applied.Done(boolean merged) -> {
          terminal.note(
              merged
                  ? "applied; the repository is at another commit than the run began with, so git"
                      + " merged"
                  : "applied");
          yield ExitCode.DONE;
        }
        case PatchedTree.Applied.Changed(List<String> paths) -> {
          terminal.note("runyard: nothing is applied: you have changed files that the run changed");
          paths.forEach(path -> terminal.note("  " + SafeText.line(path)));
          yield ExitCode.FAILED;
        }
        case PatchedTree.Applied.Refused(String said) -> {
          terminal.note("runyard: git did not apply all of it");
          terminal.note(SafeText.block(said));
          yield ExitCode.FAILED;
        }
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return ExitCode.CANCELLED;
    }
  }
}
