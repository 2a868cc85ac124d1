package dev.runyard.cli.show;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/// A run's read model as lines for a person.
public final class RunText {
  private RunText() {}

  /// The facts of one run, one per line; absent ones are left out.
  public static List<String> facts(JsonNode run, Style style) {
    List<String> lines = new ArrayList<>();
    add(lines, "run", run.path("run_id").asText());
    add(lines, "agent", run.path("agent").asText());
    add(lines, "status", style.status(run.path("status").asText()) + phase(run));
    add(lines, "session", SafeText.line(run.path("session_id").asText()));
    add(lines, "attempt", run.path("attempt").asText());
    add(lines, "created", run.path("created_at").asText());
    add(lines, "started", run.path("started_at").asText());
    add(lines, "finished", run.path("finished_at").asText());
    add(lines, "took", took(run));
    add(lines, "usage", UsageText.of(run.path("usage")));
    add(lines, "events", run.path("last_sequence").asText());
    add(lines, "blocked", failure(run.path("blocked")));
    add(lines, "error", error(run));
    if (run.path("final_text").isTextual()) {
      lines.add("");
      lines.add(SafeText.block(run.path("final_text").asText()));
    }
    return lines;
  }

  /// How a watched run ended: its status, time, tokens and, when it failed, why.
  public static List<String> ending(JsonNode run, Style style) {
    List<String> lines = new ArrayList<>();
    String usage = UsageText.of(run.path("usage"));
    String took = took(run);
    lines.add(
        style.status(run.path("status").asText())
            + " "
            + run.path("run_id").asText()
            + (took.isEmpty() ? "" : " in " + took)
            + (usage.isEmpty() ? "" : ", " + usage));
    if (!error(run).isEmpty()) {
      lines.add(style.bad("error ") + error(run));
    }
    return lines;
  }

  /// One line of a list of runs.
  public static String row(JsonNode run, Style style) {
    String status = run.path("status").asText();
    return String.join(
        "  ",
        pad(run.path("run_id").asText(), 36),
        style.status(status) + " ".repeat(Math.max(0, 11 - status.length())),
        pad(run.path("agent").asText(), 12),
        pad(run.path("created_at").asText(), 24),
        SafeText.line(run.path("session_id").asText()));
  }

  public static String header(Style style) {
    return style.dim(
        String.join(
            "  ",
            pad("RUN", 36),
            pad("STATUS", 11),
            pad("AGENT", 12),
            pad("CREATED", 24),
            "SESSION"));
  }

  /// `code: message` of the run's error, empty when it has none.
  public static String error(JsonNode run) {
    return failure(run.path("error"));
  }

  private static String failure(JsonNode error) {
    return error.isObject()
        ? SafeText.line(error.path("code").asText() + ": " + error.path("message").asText())
        : "";
  }

  private static String took(JsonNode run) {
    return Times.between(run.path("created_at").asText(), run.path("finished_at").asText());
  }

  private static String phase(JsonNode run) {
    String phase = run.path("phase").asText();
    return phase.isEmpty() || phase.equals("null") || phase.equals(run.path("status").asText())
        ? ""
        : " (" + phase + ")";
  }

  private static void add(List<String> lines, String name, String value) {
    if (!value.isEmpty() && !value.equals("null")) {
      lines.add(pad(name, 10) + value);
    }
  }

  private static String pad(String text, int width) {
    return text.length() >= width ? text : text + " ".repeat(width - text.length());
  }
}
