package dev.runyard.runner.backend.codex;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The command line of one run of Codex, its complete environment and what it reads from its
/// standard input.
///
/// The prompt goes through standard input, so no length of it is too long and no list of processes
/// shows it. What is the same for all runs of an agent stands in the home's configuration, what
/// differs stands in the arguments. Approvals are always `never`: `codex exec` can ask nobody.
public record CodexCommand(
    List<String> argv, Map<String, String> environment, String standardInput) {

  private static final String HOME = "CODEX_HOME";
  private static final String TEMPORARY = "TMPDIR";

  public CodexCommand {
    argv = List.copyOf(argv);
    environment = Map.copyOf(environment);
  }

  /// The command of a run.
  ///
  /// @param thread not a missing one: that run fails before it is started
  /// @param base variables the runner passes to every agent, such as `PATH`
  /// @param requested variables of the run's request; they win over the agent's
  public static CodexCommand of(
      CodexSettings settings,
      CodexOptions options,
      CodexHome home,
      CodexThread thread,
      String prompt,
      Map<String, String> base,
      Map<String, String> requested) {
    return new CodexCommand(
        argv(settings, options, thread), environment(settings, home, base, requested), prompt);
  }

  private static List<String> argv(
      CodexSettings settings, CodexOptions options, CodexThread thread) {
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
    model(settings, options).ifPresent(model -> override(argv, "model", model));
    for (Path dir : options.addDirs()) {
      argv.add("--add-dir");
      argv.add(dir.toString());
    }
    switch (thread) {
      case CodexThread.Fresh _ -> {}
      case CodexThread.Known known -> argv.addAll(List.of("resume", known.id()));
      case CodexThread.Missing _ ->
          throw new IllegalArgumentException("there is no thread to resume");
    }
    argv.add("-");
    return argv;
  }

  /// The model a run asks for, or else the agent's.
  static Optional<String> model(CodexSettings settings, CodexOptions options) {
    return options.model().or(settings::model);
  }

  private static void override(List<String> argv, String key, String value) {
    argv.add("-c");
    argv.add(key + "=" + CodexHome.quoted(value));
  }

  private static Map<String, String> environment(
      CodexSettings settings,
      CodexHome home,
      Map<String, String> base,
      Map<String, String> requested) {
    Map<String, String> environment = new HashMap<>(base);
    environment.put("HOME", home.path().toString());
    environment.putAll(settings.environment());
    environment.putAll(requested);
    environment.put(HOME, home.path().toString());
    environment.put(TEMPORARY, home.temporary().toString());
    return environment;
  }
}
