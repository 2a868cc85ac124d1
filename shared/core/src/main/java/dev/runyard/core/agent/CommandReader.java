package dev.runyard.core.agent;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.CommandTemplate.Counts;
import dev.runyard.core.agent.CommandTemplate.Output;
import java.util.List;
import java.util.Set;

/// Reads the `command` member of an agent in the operator's document.
final class CommandReader {
  private static final Set<String> MEMBERS =
      Set.of(
          "title",
          "description",
          "args",
          "model_args",
          "resume_args",
          "sessions",
          "output",
          "text",
          "session",
          "error",
          "usage");
  private static final Set<String> COUNTS = Set.of("input", "cached", "output");

  private CommandReader() {}

  /// @param at the member's place in the document
  static CommandTemplate read(AgentKind kind, JsonNode node, String at) {
    AgentSettings.object(node, at, MEMBERS);
    return new CommandTemplate(
        kind,
        AgentSettings.text(node, at, "title").orElse(kind.name()),
        AgentSettings.text(node, at, "description").orElse("A program that takes a prompt."),
        AgentSettings.texts(node.path("args"), at + "/args"),
        with(CommandTemplate.MODEL, node, at, "model_args"),
        with(CommandTemplate.SESSION, node, at, "resume_args"),
        sessions(node, at),
        output(node, at));
  }

  /// Paths below the agent's home.
  static List<String> sessions(JsonNode node, String at) {
    List<String> sessions = AgentSettings.texts(node.path("sessions"), at + "/sessions");
    for (String path : sessions) {
      if (path.isBlank() || path.startsWith("/") || path.contains("..")) {
        throw AgentSettings.wrong(at + "/sessions", "must be paths below the agent's home");
      }
    }
    return sessions;
  }

  /// Arguments with a placeholder for a value.
  static List<String> with(String hole, JsonNode node, String at, String member) {
    List<String> args = AgentSettings.texts(node.path(member), at + "/" + member);
    if (!args.isEmpty() && args.stream().noneMatch(arg -> arg.contains(hole))) {
      throw AgentSettings.wrong(at + "/" + member, "must have a place for " + hole);
    }
    return args;
  }

  private static Output output(JsonNode node, String at) {
    String output = AgentSettings.text(node, at, "output").orElse("text");
    JsonNode usage = node.path("usage");
    if (!usage.isMissingNode()) {
      AgentSettings.object(usage, at + "/usage", COUNTS);
    }
    return switch (output) {
      case "text" -> new Output.Text();
      case "jsonl" ->
          new Output.JsonLines(
              pointer(node, at, "text"),
              pointer(node, at, "session"),
              pointer(node, at, "error"),
              new Counts(
                  pointer(usage, at + "/usage", "input"),
                  pointer(usage, at + "/usage", "cached"),
                  pointer(usage, at + "/usage", "output")));
      default -> throw AgentSettings.wrong(at + "/output", "must be text or jsonl");
    };
  }

  private static String pointer(JsonNode node, String at, String member) {
    String pointer = AgentSettings.text(node, at, member).orElse("");
    try {
      JsonPointer.compile(pointer);
      return pointer;
    } catch (IllegalArgumentException e) {
      throw AgentSettings.wrong(at + "/" + member, "must be a JSON pointer");
    }
  }
}
