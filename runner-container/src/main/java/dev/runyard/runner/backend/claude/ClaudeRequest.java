package dev.runyard.runner.backend.claude;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.runner.backend.CliQuestions;
import java.util.ArrayList;
import java.util.List;

/// Claude Code's request to use a tool, and its answer. One tool asks the user a question: then the
/// request is that question, and the answer goes into the tool's input.
///
/// @param input of the tool, which an approval repeats
/// @param call this use of the tool; empty if it is not said
record ClaudeRequest(String tool, JsonNode input, String call) {
  private static final String QUESTIONS_TOOL = "AskUserQuestion";
  private static final String QUESTIONS = "questions";
  private static final String QUESTION = "question";

  /// The members of a tool's input that are most informative for people.
  private static final List<String> TELLING =
      List.of("command", "file_path", "notebook_path", "url", "query", "pattern", "plan", "path");

  /// Reads a request that is kept as JSON.
  static ClaudeRequest of(String json) {
    try {
      return of(JsonFormat.JSON.readTree(json));
    } catch (JsonProcessingException _) {
      return of(MissingNode.getInstance());
    }
  }

  static ClaudeRequest of(JsonNode request) {
    return new ClaudeRequest(
        request.path("tool_name").asText(""),
        request.path("input"),
        request.path("tool_use_id").asText(""));
  }

  CliQuestions.Ask ask() {
    return asksUser()
        ? new CliQuestions.Ask(
            ActionType.QUESTION, String.join("\n", asked()), choices(), tool, input, call)
        : new CliQuestions.Ask(
            ActionType.PERMISSION,
            "Claude Code asks to use %s: %s".formatted(tool, telling()),
            List.of(),
            tool,
            input,
            call);
  }

  /// The answer for a decision.
  ObjectNode answer(Action action) {
    Action.Resolution resolution = action.resolution();
    if (resolution == null) {
      return denied("Nobody decided.", false);
    }
    String comment = CliQuestions.comment(action);
    return switch (resolution.decision()) {
      case APPROVE -> allowed(input);
      case ANSWER -> asksUser() ? allowed(answered(resolution, comment)) : denied(comment, false);
      case DENY -> denied(comment.isEmpty() ? "The user does not permit this." : comment, false);
      case TIMED_OUT -> denied("Nobody permitted this in time.", false);
      case CANCELLED -> denied("The run is being stopped.", false);
    };
  }

  /// @param interrupt whether the turn ends with it
  ObjectNode denied(String message, boolean interrupt) {
    ObjectNode answer = ClaudeLines.object().put("behavior", "deny").put("message", message);
    return interrupt ? answer.put("interrupt", true) : answer;
  }

  private static ObjectNode allowed(JsonNode updatedInput) {
    return ClaudeLines.object().put("behavior", "allow").set("updatedInput", updatedInput);
  }

  /// The input with an answer to each question: those of an object by question, a text to all.
  private JsonNode answered(Action.Resolution resolution, String text) {
    JsonNode payload = resolution.payload();
    ObjectNode updated = input.isObject() ? input.deepCopy() : ClaudeLines.object();
    ObjectNode answers = updated.putObject("answers");
    for (String question : asked()) {
      String own = payload == null ? "" : payload.path(question).asText("");
      answers.put(question, own.isEmpty() ? text : own);
    }
    return updated;
  }

  private boolean asksUser() {
    return tool.equals(QUESTIONS_TOOL) && input.path(QUESTIONS).isArray();
  }

  private List<String> asked() {
    List<String> asked = new ArrayList<>();
    input.path(QUESTIONS).forEach(question -> asked.add(question.path(QUESTION).asText("")));
    return asked;
  }

  private List<String> choices() {
    List<String> choices = new ArrayList<>();
    JsonNode questions = input.path(QUESTIONS);
    if (questions.size() == 1 && !questions.path(0).path("multiSelect").asBoolean()) {
      questions
          .path(0)
          .path("options")
          .forEach(option -> choices.add(option.path("label").asText("")));
    }
    return choices;
  }

  private String telling() {
    for (String member : TELLING) {
      JsonNode value = input.path(member);
      if (value.isTextual()) {
        return value.textValue();
      }
    }
    return input.toString();
  }
}
