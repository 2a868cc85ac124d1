package dev.runyard.runner.backend.qwen;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.runner.backend.SessionChoice;
import dev.runyard.runner.backend.cli.CliLaunch;
import dev.runyard.runner.backend.cli.PromptedCli;
import dev.runyard.runner.backend.cli.SessionFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The Qwen Code agent, as `qwen -o stream-json`.
public final class QwenBackend extends PromptedCli {
  private static final Path SESSIONS = Path.of(".qwen", "projects");

  public QwenBackend() {
    super("qwen");
  }

  @Override
  public List<Path> sessionState() {
    return List.of(SESSIONS);
  }

  @Override
  protected Started prepare(CliLaunch launch) throws IOException {
    QwenSetup.write(launch);
    List<String> argv = launch.argv("qwen");
    argv.addAll(List.of("--output-format", "stream-json", "--include-partial-messages"));
    argv.add("--approval-mode");
    argv.add(
        switch (launch.approval()) {
          case NONE -> "default";
          case EDITS -> "auto-edit";
          case ALL -> "yolo";
        });
    argv.addAll(QwenSetup.modelArguments(launch));
    argv.addAll(resumed(launch));
    return new Started(
        argv,
        QwenSetup.environment(launch),
        new QwenStream(launch.callPrefix(), launch.model().orElse(null)));
  }

  /// It stores conversations by the folder in which they began: this one is moved to the new
  /// folder.
  private static List<String> resumed(CliLaunch launch) throws IOException {
    Path sessions = launch.context().home().resolve(SESSIONS);
    String glob =
        switch (launch.resume()) {
          case SessionChoice.Fresh _ -> "";
          case SessionChoice.Last _ -> "*.jsonl";
          case SessionChoice.ById(String id, _) -> id + ".jsonl";
        };
    if (glob.isEmpty()) {
      return List.of();
    }
    Path chat = SessionFiles.required(sessions, glob);
    String name = String.valueOf(chat.getFileName());
    String folder = launch.request().workingDir().toString();
    Path moved =
        sessions.resolve(folder.replaceAll("[^A-Za-z0-9]", "-")).resolve("chats").resolve(name);
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(chat)) {
      lines.add(in(folder, line));
    }
    Files.createDirectories(Objects.requireNonNull(moved.getParent()));
    Files.delete(chat);
    Files.write(moved, lines);
    return List.of("--resume", name.substring(0, name.lastIndexOf('.')));
  }

  /// A line of a conversation, as if from this folder.
  private static String in(String folder, String line) throws JsonProcessingException {
    if (!(JsonFormat.JSON.readTree(line) instanceof ObjectNode entry) || !entry.has("cwd")) {
      return line;
    }
    return entry.put("cwd", folder).toString();
  }
}
