package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.show.SafeText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "download",
    description = "Save artifacts of a run; all of them if none is named.",
    footer = {"", "Nothing outside of DIR is written, and no file that is there is replaced."})
final class DownloadCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(index = "0", paramLabel = "RUN", description = "Id of the run.")
  private String runId = "";

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "NAME",
      description = "Names of artifacts.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--to",
      paramLabel = "DIR",
      description = "Folder to save them in; this one if absent.")
  private Path to = Path.of("");

  @Option(
      names = "--workspace",
      description = "Save the archive of the whole workspace, workspace.tar.gz, as well.")
  private boolean workspace;

  @Mixin private ServerOption server = new ServerOption();

  DownloadCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (RunyardClient client = server.client(terminal)) {
      Answers answers = new Answers(terminal, false);
      int status =
          workspace
              ? answers.on(client.workspace(runId), body -> save("workspace.tar.gz", body))
              : ExitCode.DONE;
      if (status != ExitCode.DONE || (workspace && names.isEmpty())) {
        return status;
      }
      return answers.on(client.artifacts(runId), listed -> all(client, wanted(listed)));
    }
  }

  private List<String> wanted(JsonNode listed) {
    if (!names.isEmpty()) {
      return names;
    }
    List<String> all = new ArrayList<>();
    listed.path("artifacts").forEach(artifact -> all.add(artifact.path("name").asText()));
    return all;
  }

  /// Those that cannot be saved do not keep the others from being saved.
  private int all(RunyardClient client, List<String> wanted) {
    int status = ExitCode.DONE;
    for (String name : wanted) {
      int each =
          new Answers(terminal, false)
              .on(client.artifact(runId, name), content -> save(name, content));
      status = Math.max(status, each);
    }
    return status;
  }

  private int save(String name, JsonNode content) {
    try {
      return switch (new DownloadFolder(to.toAbsolutePath()).save(name, content.binaryValue())) {
        case DownloadFolder.Saved.To(Path file) -> {
          terminal.line(SafeText.line(file.toString()));
          yield ExitCode.DONE;
        }
        case DownloadFolder.Saved.Refused(String reason) -> {
          terminal.note("runyard: not saved, %s: %s".formatted(reason, SafeText.line(name)));
          yield ExitCode.FAILED;
        }
      };
    } catch (IOException _) {
      terminal.note("runyard: cannot write: " + SafeText.line(name));
      return ExitCode.FAILED;
    }
  }
}
