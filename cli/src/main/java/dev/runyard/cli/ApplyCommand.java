package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.folder.FolderPatch;
import dev.runyard.cli.folder.PersonsRepository;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "apply",
    description = "Apply what a run changed to the files of a repository, and to no index.",
    footer = {
      "",
      "All of it or nothing. What you have edited and not committed is kept, and named. Where the"
          + " files are not as the run found them, git merges; if it cannot, nothing is applied."
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

  @Option(
      names = "--whole",
      description = "All that the runs of its session have changed since the repository's commit.")
  private boolean whole;

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
          changes -> answers.on(client.patch(runId, whole), patch -> apply(changes, patch)));
    }
  }

  private int apply(JsonNode changes, JsonNode patch) {
    try {
      Optional<PersonsRepository> found = PersonsRepository.around(repository.toAbsolutePath());
      if (found.isEmpty()) {
        terminal.note(
            "runyard: " + repository.toAbsolutePath().normalize() + " is in no repository");
        return ExitCode.USAGE;
      }
      PersonsRepository mine = found.get();
      boolean stored =
          mine.has(changes.path("base_commit").asText())
              || mine.has(changes.path("whole").path("base_commit").asText());
      return new PatchApplying(terminal, runId)
          .apply(new FolderPatch(mine.root(), mine, stored), patch);
    } catch (IOException e) {
      terminal.note("runyard: the patch cannot be applied: " + e);
      return ExitCode.FAILED;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return ExitCode.CANCELLED;
    }
  }
}
