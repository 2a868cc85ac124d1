package dev.runyard.runner.backend.qwen;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.PromptedAgents;
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
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// The Qwen Code agent, as `qwen -o stream-json`.
public final class QwenBackend extends PromptedCli {
  private static final String KEY = "OPENAI_API_KEY";
  private static final String LOGIN = ".qwen/oauth_creds.json";
  private static final Path SESSIONS = Path.of(".qwen", "projects");
  private static final String MODEL = "default";

  public QwenBackend() {
    super(PromptedAgents.QWEN);
  }

  @Override
  public List<Path> sessionState() {
    return List.of(SESSIONS);
  }

  @Override
  protected Started prepare(CliLaunch launch) throws IOException {
    launch.useLogin(List.of(LOGIN));
    boolean loggedIn = Files.exists(launch.context().home().resolve(LOGIN));
    launch.write(".qwen/settings.json", settings(loggedIn));
    List<String> argv = new ArrayList<>(List.of(launch.program("qwen")));
    argv.addAll(launch.context().settings().args());
    argv.addAll(List.of("--output-format", "stream-json", "--include-partial-messages"));
    argv.add("--approval-mode");
    argv.add(
        switch (launch.approval()) {
          case NONE -> "default";
          case EDITS -> "auto-edit";
          case ALL -> "yolo";
        });
    Map<String, String> env = new TreeMap<>(Map.of("QWEN_CODE_NO_RELAUNCH", "true"));
    launch.endpoint().ifPresent(endpoint -> env.put("OPENAI_BASE_URL", endpoint));
    launch
        .model()
        .or(() -> launch.endpoint().map(_ -> MODEL))
        .ifPresent(model -> argv.addAll(List.of("--model", model)));
    argv.addAll(resumed(launch));
    return new Started(
        argv,
        launch.environment(KEY, env),
        new QwenStream(launch.callPrefix(), launch.model().orElse(null)));
  }

  /// It keeps conversations by the folder they began in: this one moves to the new one's.
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

  /// A line of a conversation, said in this folder.
  private static String in(String folder, String line) throws JsonProcessingException {
    if (!(JsonFormat.JSON.readTree(line) instanceof ObjectNode entry) || !entry.has("cwd")) {
      return line;
    }
    return entry.put("cwd", folder).toString();
  }

  private static ObjectNode settings(boolean loggedIn) {
    ObjectNode settings = JsonNodeFactory.instance.objectNode();
    settings
        .putObject("security")
        .putObject("auth")
        .put("selectedType", loggedIn ? "qwen-oauth" : "openai");
    settings.putObject("privacy").put("usageStatisticsEnabled", false);
    settings.putObject("general").put("enableAutoUpdate", false);
    return settings;
  }
}
