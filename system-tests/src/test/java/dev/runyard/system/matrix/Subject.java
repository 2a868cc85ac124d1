package dev.runyard.system.matrix;

import java.util.List;

/// A kind of agent in the matrix, and how requests ask it for what every kind names differently.
///
/// @param api where the scripted model has the API it speaks
/// @param model that the agents file names
/// @param everyRun whether each build tries it
/// @param permitted members of `extensions` with which its tools may do anything
/// @param restricted the same, with which it may run no command that changes something
/// @param asking the same, with which it asks before it does; empty where it cannot
record Subject(
    String kind,
    Api api,
    String model,
    boolean everyRun,
    String permitted,
    String restricted,
    String asking) {

  enum Api {
    BASE,
    ORIGIN
  }

  private static final String EXTERNAL = "\"agent_api.exec.external_sandbox.v1\":true";
  private static final String ASKING = "\"agent_api.exec.non_interactive\":false";
  private static final String CODEX_MODEL = "gpt-5.5";
  private static final String NAME = "scripted-model";
  private static final String TODOS =
      "[[call %s {\"todos\":[{\"id\":\"1\",\"content\":\"look\",\"status\":\"pending\","
          + "\"priority\":\"high\"}]}]]";

  /// All of them, in the order of the page.
  static List<Subject> all() {
    return List.of(
        new Subject(
            "codex",
            Api.BASE,
            CODEX_MODEL,
            true,
            EXTERNAL,
            "\"backend.codex.exec.sandbox_mode\":\"read-only\"",
            ASKING + ",\"backend.codex.exec.sandbox_mode\":\"danger-full-access\""),
        new Subject("claude_code", Api.ORIGIN, NAME, true, EXTERNAL, "", ASKING),
        prompted("pi", Api.BASE, true),
        acp("claude_agent_acp", Api.ORIGIN, true),
        prompted("gemini_cli", Api.ORIGIN, false),
        prompted("copilot", Api.BASE, false),
        prompted("qwen", Api.BASE, false),
        prompted("opencode", Api.BASE, false),
        acp("codex_acp", Api.BASE, false),
        acp("gemini_acp", Api.ORIGIN, false),
        acp("copilot_acp", Api.BASE, false),
        acp("qwen_acp", Api.BASE, false),
        acp("opencode_acp", Api.BASE, false));
  }

  /// True where its tools take absolute paths only.
  boolean absolutePaths() {
    return kind.startsWith("qwen");
  }

  /// What makes its model plan to look; empty where it has no tool for plans.
  String plan() {
    return switch (kind) {
      case "claude_code", "claude_agent_acp" ->
          "[[call TaskCreate {\"subject\":\"look\",\"description\":\"around\"}]]";
      case "qwen", "qwen_acp" -> TODOS.formatted("todo_write");
      case "opencode", "opencode_acp" -> TODOS.formatted("todowrite");
      default -> "";
    };
  }

  private static Subject prompted(String kind, Api api, boolean everyRun) {
    return new Subject(
        kind, api, NAME, everyRun, approval(kind, "all"), approval(kind, "none"), "");
  }

  private static Subject acp(String kind, Api api, boolean everyRun) {
    String model = kind.startsWith("codex") ? CODEX_MODEL : NAME;
    String all = approval(kind, "all");
    return new Subject(kind, api, model, everyRun, all, approval(kind, "none"), ASKING);
  }

  private static String approval(String kind, String approval) {
    return "\"backend.%s.exec.approval\":\"%s\"".formatted(kind, approval);
  }
}
