package dev.runyard.runner.backend.gemini;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.runner.backend.SessionChoice;
import dev.runyard.runner.backend.cli.CliLaunch;
import dev.runyard.runner.backend.cli.PromptedCli;
import dev.runyard.runner.backend.cli.SessionFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Google's Gemini CLI, as `gemini -o stream-json`.
public final class GeminiBackend extends PromptedCli {
  private static final Path SESSIONS = Path.of(".gemini", "tmp");
  private static final String WRITES_THROUGH = ".gemini/writes-through.cjs";
  private static final String NODE_OPTIONS = "NODE_OPTIONS";
  private static final int SHORT_ID_CHARS = 8;

  public GeminiBackend() {
    super("gemini_cli");
  }

  @Override
  public List<Path> sessionState() {
    return List.of(SESSIONS);
  }

  @Override
  protected Started prepare(CliLaunch launch) throws IOException {
    GeminiSetup.write(launch);
    List<String> argv = launch.argv("gemini", "--skip-trust");
    argv.addAll(List.of("--output-format", "stream-json", "--approval-mode"));
    argv.add(
        switch (launch.approval()) {
          case NONE -> "default";
          case EDITS -> "auto_edit";
          case ALL -> "yolo";
        });
    argv.addAll(launch.modelArguments());
    argv.addAll(resumed(launch));
    Map<String, String> env = GeminiSetup.environment(launch);
    env.merge(NODE_OPTIONS, writesThrough(launch), "%s %s"::formatted);
    return new Started(
        argv, env, new GeminiStream(launch.callPrefix(), launch.model().orElse(null)));
  }

  /// It exits without waiting until its output is read, which loses everything beyond the 64 KiB of
  /// a pipe. With this, its writes wait for their reader.
  private static String writesThrough(CliLaunch launch) throws IOException {
    Path script = launch.context().home().resolve(WRITES_THROUGH);
    Files.writeString(script, "process.stdout._handle?.setBlocking?.(true);\n");
    String quoted = script.toString().replace("\\", "\\\\").replace("\"", "\\\"");
    return "--require=\"%s\"".formatted(quoted);
  }

  /// It stores conversations by the folder in which they began: the new folder gets the old one's
  /// name.
  private static List<String> resumed(CliLaunch launch) throws IOException {
    String glob;
    String wanted;
    switch (launch.resume()) {
      case SessionChoice.Fresh _ -> {
        return List.of();
      }
      case SessionChoice.Last _ -> {
        glob = "session-*";
        wanted = "latest";
      }
      case SessionChoice.ById(String id, _) -> {
        glob = "session-*" + id.substring(0, Math.min(SHORT_ID_CHARS, id.length())) + ".json{,l}";
        wanted = id;
      }
    }
    Path chat = SessionFiles.required(launch.context().home().resolve(SESSIONS), glob);
    Path project = Objects.requireNonNull(Objects.requireNonNull(chat.getParent()).getParent());
    String folder = launch.request().workingDir().toString();
    String name = String.valueOf(project.getFileName());
    ObjectNode projects = JsonNodeFactory.instance.objectNode();
    projects.putObject("projects").put(folder, name);
    launch.write(".gemini/projects.json", projects);
    Path history = launch.context().home().resolve(".gemini/history").resolve(name);
    for (Path owned : List.of(project, history)) {
      if (Files.isDirectory(owned)) {
        Files.writeString(owned.resolve(".project_root"), folder);
      }
    }
    return List.of("--resume", wanted);
  }
}
