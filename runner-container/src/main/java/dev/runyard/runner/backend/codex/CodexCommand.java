package dev.runyard.runner.backend.codex;

import dev.runyard.runner.backend.WorkspaceTrust;
import dev.runyard.runner.process.AgentCommand;
import dev.runyard.runner.process.Stdin;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The command that starts Codex for a run.
///
/// The prompt goes through standard input, so it may have any length and no list of processes shows
/// it. Settings that are the same for all runs of an agent are in the home's configuration. Others
/// are arguments of `codex exec`, where approvals are always `never` because it can ask nobody, or
/// are sent to `codex app-server`.
public final class CodexCommand {

  private static final String HOME = "CODEX_HOME";
  private static final String TEMPORARY = "TMPDIR";

  private CodexCommand() {}

  /// The command of a run.
  ///
  /// @param base variables the runner passes to every agent, such as `PATH`
  public static AgentCommand of(
      CodexSettings settings, CodexHome home, CodexRun run, Map<String, String> base) {
    return new AgentCommand(
        argv(settings, run),
        run.workingDir(),
        environment(settings, home, run, base),
        Stdin.text(run.prompt()));
  }

  /// The command that starts `codex app-server`.
  static AgentCommand server(
      CodexSettings settings, CodexHome home, CodexRun run, Map<String, String> base) {
    List<String> argv = new ArrayList<>();
    argv.add(settings.program());
    argv.addAll(settings.arguments());
    argv.add("app-server");
    List<Path> dirs = run.options().addDirs();
    if (!dirs.isEmpty()) {
      argv.add("-c");
      argv.add(
          dirs.stream()
              .map(dir -> CodexHome.quoted(dir.toString()))
              .collect(Collectors.joining(",", "sandbox_workspace_write.writable_roots=[", "]")));
    }
    return new AgentCommand(
        argv, run.workingDir(), environment(settings, home, run, base), new Stdin.Open());
  }

  private static List<String> argv(CodexSettings settings, CodexRun run) {
    CodexOptions options = run.options();
    List<String> argv = new ArrayList<>();
    argv.add(settings.program());
    argv.addAll(settings.arguments());
    argv.addAll(List.of("exec", "--json", "--skip-git-repo-check"));
    switch (options.sandbox()) {
      case EXTERNAL -> argv.add("--dangerously-bypass-approvals-and-sandbox");
      case READ_ONLY, WORKSPACE_WRITE, DANGER_FULL_ACCESS -> {
        override(argv, "approval_policy", "never");
        override(argv, "sandbox_mode", options.sandbox().mode());
      }
    }
    options.model().or(settings::model).ifPresent(model -> override(argv, "model", model));
    for (Path dir : options.addDirs()) {
      argv.add("--add-dir");
      argv.add(dir.toString());
    }
    if (run.thread() instanceof CodexThread.Known known) {
      argv.addAll(List.of("resume", known.id()));
    }
    argv.add("-");
    return argv;
  }

  private static void override(List<String> argv, String key, String value) {
    argv.add("-c");
    argv.add(key + "=" + CodexHome.quoted(value));
  }

  private static Map<String, String> environment(
      CodexSettings settings, CodexHome home, CodexRun run, Map<String, String> base) {
    Map<String, String> environment = new HashMap<>(base);
    environment.put("HOME", home.path().toString());
    environment.putAll(WorkspaceTrust.variables(settings.grants()));
    environment.putAll(settings.environment());
    environment = settings.grants().requestEnv().merge(environment, run.environment());
    environment.put(HOME, home.path().toString());
    environment.put(TEMPORARY, home.temporary().toString());
    return environment;
  }
}
