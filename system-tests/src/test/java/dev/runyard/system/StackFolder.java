package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.StackTokens;
import dev.runyard.local.http.TokenFolder;
import dev.runyard.local.rights.CallRecord;
import dev.runyard.needs.Program;
import dev.runyard.testkit.threads.TestPatience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The folder of a tested stack: the template, an agents file whose `codex` is a script, the data,
/// the logs.
///
/// The script replaces an agent CLI. It says that it works; asked to `hold`, it then waits with one
/// child in its process group and one in its own process session; asked for something `large`, it
/// reports an output of some 200 KB, a file and a plan.
///
/// @param mayFail the runs in its data that may fail, also those of an earlier stack, and the codes
///   with which each may
public record StackFolder(Path path, Map<String, Set<String>> mayFail) {
  private static final Pattern RUN = Pattern.compile("\"run_id\":\"([0-9a-f-]{36})\"");
  private static final String TIMEOUT = "\n      Timeout: 15\n";

  /// What is as slow as the machine is no fault of the stack.
  private static final String PATIENT = "\n      Timeout: " + TestPatience.LONG_SECONDS + "\n";

  private static final String AGENT =
      """
      #!/bin/sh
      prompt=$(cat)
      echo '{"type":"thread.started","thread_id":"00000000-0000-7000-8000-000000000001"}'
      echo '{"type":"turn.started"}'
      case $prompt in
        hold*)
          sleep 1000 &
          setsid sleep 1000 &
          echo '{"type":"item.completed","item":{"id":"i0","type":"agent_message","text":"here"}}'
          wait
          ;;
        large*)
          output=$(seq -s ' ' 1 40000)
          printf '{"type":"item.completed","item":{"id":"i2","type":"command_execution","command":"seq","exit_code":0,"aggregated_output":"%s"}}\\n' "$output"
          echo '{"type":"item.completed","item":{"id":"i3","type":"file_change","changes":[{"path":"'"$PWD"'/src/a.txt","kind":"add"}],"status":"completed"}}'
          echo '{"type":"item.updated","item":{"id":"i4","type":"todo_list","items":[{"text":"look","completed":true},{"text":"write","completed":false}]}}'
          ;;
      esac
      echo '{"type":"item.completed","item":{"id":"i1","type":"agent_message","text":"done"}}'
      echo '{"type":"turn.completed","usage":{"input_tokens":3,"output_tokens":2}}'
      """;

  /// Prepares a folder; the template is the project's own, but functions that answer requests may
  /// take as long as tests wait.
  public static StackFolder in(Path path) throws IOException {
    return in(path, Map.of());
  }

  /// Prepares a folder whose template has other defaults for some parameters.
  public static StackFolder in(Path path, Map<String, String> defaults) throws IOException {
    Path home = Path.of(Objects.requireNonNull(System.getProperty("runyard.home")));
    String template = Files.readString(home.resolve("template.yaml"));
    for (Map.Entry<String, String> parameter : defaults.entrySet()) {
      String before = template;
      template =
          template.replaceFirst(
              "(?m)^(  " + parameter.getKey() + ": \\{ Type: \\w+, Default: )\\w+",
              "$1" + parameter.getValue());
      assertTrue(!template.equals(before), () -> "no parameter " + parameter.getKey());
    }
    assertTrue(template.contains(TIMEOUT), "no function has this timeout");
    template = template.replace(TIMEOUT, PATIENT);
    StackFolder folder = new StackFolder(path, new ConcurrentHashMap<>());
    Files.writeString(folder.home().resolve("template.yaml"), template);
    Path agent = Program.write(path.resolve("agent"), AGENT);
    Files.writeString(
        folder.agents(), "{\"agents\":{\"codex\":{\"program\":\"%s\"}}}".formatted(agent));
    return folder;
  }

  /// Has another agent, `shell`, whose prompts are scripts.
  StackFolder withShell() throws IOException {
    JsonNode document = Api.JSON.readTree(Files.readString(agents()));
    document.withObject("/agents/shell").put("program", "/bin/sh").putObject("command");
    Files.writeString(agents(), document.toString());
    return this;
  }

  public Path home() {
    return path;
  }

  public Path agents() {
    return path.resolve("agents.json");
  }

  public Path data() {
    return path.resolve("data");
  }

  /// Programs that the stack and its runners find before those of the system.
  Path programs() {
    return path.resolve("programs");
  }

  public Path cache() {
    return path.resolve("cache");
  }

  /// The access tokens of its stacks.
  TokenFolder tokens() {
    return StackTokens.of(Map.of("RUNYARD_CACHE", cache().toString()));
  }

  /// The calls of the stack's roles.
  Path calls() {
    return data().resolve("work").resolve(CallRecord.FILE);
  }

  /// The log of the stack's functions.
  public Path log() {
    return path.resolve("stack.log");
  }

  /// The runs of which runners finished an attempt, according to the runners' logs.
  Set<String> worked() throws IOException {
    Set<String> runs = new TreeSet<>();
    for (Path log : runnerLogs()) {
      Matcher run = RUN.matcher(Files.readString(log));
      while (run.find()) {
        runs.add(run.group(1));
      }
    }
    return runs;
  }

  /// The logs of the runners and of the functions.
  List<Path> logs() throws IOException {
    return Stream.concat(runnerLogs().stream(), Stream.of(log())).toList();
  }

  /// The logs of the runners. Nothing else of the folder is looked at: runners remove what their
  /// runs had there.
  List<Path> runnerLogs() throws IOException {
    try (Stream<Path> logs = Files.list(data().resolve("work").resolve("logs"))) {
      return logs.toList();
    }
  }
}
