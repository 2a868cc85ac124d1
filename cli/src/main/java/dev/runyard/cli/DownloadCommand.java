package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.client.ServerReply;
import dev.runyard.cli.show.SafeText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "download",
    description = "Save artifacts of a run; all of them if none is named.",
    footer = {
      "",
      "Nothing outside of DIR is written, and no file that is there is replaced. Each is compared",
      "with the SHA-256 that the run tells."
    })
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
              ? answers.on(client.changes(runId), kept -> archive(client, kept))
              : ExitCode.DONE;
      if (status != ExitCode.DONE || (workspace && names.isEmpty())) {
        return status;
      }
      return answers.on(client.artifacts(runId), listed -> all(client, listed));
    }
  }

  private int archive(RunyardClient client, JsonNode kept) {
    return save(
        "workspace.tar.gz",
        kept.path("workspace").path("sha256").asText(),
        to -> client.workspace(runId, to));
  }

  /// Those that cannot be saved do not keep the others from being saved.
  private int all(RunyardClient client, JsonNode listed) {
    Map<String, String> hashes = new LinkedHashMap<>();
    for (JsonNode artifact : listed.path("artifacts")) {
      hashes.put(artifact.path("name").asText(), artifact.path("sha256").asText());
    }
    int status = ExitCode.DONE;
    for (String name : names.isEmpty() ? hashes.keySet() : names) {
      int each = save(name, hashes.getOrDefault(name, ""), to -> client.artifact(runId, name, to));
      status = Math.max(status, each);
    }
    return status;
  }

  /// What a download ended with that is no file.
  private final class Outcome implements DownloadFolder.Content {
    private final String sha256;
    private final Function<Path, ServerReply> got;
    private int status = ExitCode.FAILED;
    private boolean told;

    Outcome(String sha256, Function<Path, ServerReply> got) {
      this.sha256 = sha256;
      this.got = got;
    }

    @Override
    public Optional<String> into(Path file) {
      ServerReply reply = got.apply(file);
      if (reply instanceof ServerReply.Done(JsonNode body)) {
        return body.path("sha256").asText().equals(sha256)
            ? Optional.empty()
            : Optional.of("its SHA-256 is not the one that the run tells");
      }
      status = new Answers(terminal, false).on(reply, _ -> ExitCode.DONE);
      told = true;
      return Optional.of("it was not got");
    }
  }

  private int save(String name, String sha256, Function<Path, ServerReply> got) {
    Outcome outcome = new Outcome(sha256, got);
    try {
      return switch (new DownloadFolder(to.toAbsolutePath()).save(name, outcome)) {
        case DownloadFolder.Saved.To(Path file) -> {
          terminal.line(SafeText.line(file.toString()));
          yield ExitCode.DONE;
        }
        case DownloadFolder.Saved.Refused(String reason) -> {
          if (!outcome.told) {
            terminal.note("runyard: not saved, %s: %s".formatted(reason, SafeText.line(name)));
          }
          yield outcome.status;
        }
      };
    } catch (IOException _) {
      terminal.note("runyard: cannot write: " + SafeText.line(name));
      return ExitCode.FAILED;
    }
  }
}
