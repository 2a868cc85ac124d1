package dev.runyard.runner.backend.codex;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.limits.Bounds;
import dev.runyard.runner.backend.CliQuestions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Codex's request to run a command or to change files, and Codex's words for decisions.
///
/// @param id of the request, a number or a text, which its answer repeats
record CodexRequest(JsonNode id) implements CliQuestions.Request {
  static final String ONCE = "once";
  static final String SESSION = "for this session";

  static final String CANCEL = "cancel";
  private static final String ACCEPT = "accept";
  private static final String ACCEPT_FOR_SESSION = "acceptForSession";
  static final String DECLINE = "decline";
  private static final int REASON_BYTES_MAX = 1024;

  @Override
  public int chars() {
    return id.asText().length();
  }

  /// What is asked about a command.
  static CliQuestions.Ask command(JsonNode params) {
    String command = params.path("command").asText("");
    String host = params.at("/networkApprovalContext/host").asText("");
    ObjectNode input = JsonNodeFactory.instance.objectNode();
    if (!command.isEmpty()) {
      input.put("command", command);
    }
    if (!host.isEmpty()) {
      input.put("host", host);
    }
    String what = host.isEmpty() ? "run: " + command : "reach the network host " + host;
    boolean session = false;
    for (JsonNode decision : params.path("availableDecisions")) {
      session |= decision.asText("").equals(ACCEPT_FOR_SESSION);
    }
    return ask(what, params, choices(session), "shell", input);
  }

  /// What is asked about files.
  ///
  /// @param reported the changes; missing if they were not reported, which makes the question one
  ///   of its own
  static CliQuestions.Ask files(JsonNode params, JsonNode reported, Path workingDir) {
    ObjectNode input = JsonNodeFactory.instance.objectNode();
    var changes = input.putArray("changes");
    List<String> named = new ArrayList<>();
    for (JsonNode change : reported) {
      String file = within(workingDir, change.path("path").asText(""));
      named.add(CodexItemReader.change(change) + " " + file);
      changes
          .addObject()
          .put("kind", CodexItemReader.change(change))
          .put("path", file)
          .put("diff", change.path("diff").asText(""));
    }
    String root = params.path("grantRoot").asText("");
    if (!root.isEmpty() && !params.path("grantRoot").isNull()) {
      input.put("root", root);
      named.add("any file below " + root);
    }
    if (named.isEmpty()) {
      input.put("item", params.path("itemId").asText(""));
    }
    String what =
        named.isEmpty()
            ? "change files it did not name"
            : "change files: " + String.join(", ", named);
    return ask(what, params, choices(true), "apply_patch", input);
  }

  /// Codex's word for a decision.
  static String answer(Action action) {
    Action.Resolution resolution = action.resolution();
    if (resolution == null) {
      return DECLINE;
    }
    return switch (resolution.decision()) {
      case APPROVE -> CliQuestions.comment(action).equals(SESSION) ? ACCEPT_FOR_SESSION : ACCEPT;
      case DENY, ANSWER, TIMED_OUT -> DECLINE;
      case CANCELLED -> CANCEL;
    };
  }

  private static CliQuestions.Ask ask(
      String what, JsonNode params, List<String> choices, String tool, JsonNode input) {
    String reason = params.path("reason").isTextual() ? params.path("reason").asText().strip() : "";
    String prompt = "Codex asks to " + what;
    return new CliQuestions.Ask(
        ActionType.PERMISSION,
        reason.isEmpty()
            ? prompt
            : prompt + "\nReason: " + Bounds.truncate(Bounds.wellFormed(reason), REASON_BYTES_MAX),
        choices,
        tool,
        input,
        params.path("itemId").asText(""));
  }

  private static List<String> choices(boolean session) {
    return session ? List.of(ONCE, SESSION) : List.of();
  }

  private static String within(Path workingDir, String file) {
    Path path = Path.of(file);
    return path.startsWith(workingDir) ? workingDir.relativize(path).toString() : file;
  }
}
