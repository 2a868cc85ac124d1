package dev.runyard.runner.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.PlanEntry;
import dev.runyard.core.event.RunEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads a plan from an agent's output: a list of steps, under one of a few names, each with a text
/// and a status or a mark that it is done.
public final class PlanReader {
  private static final List<String> LISTS = List.of("todos", "entries", "items", "plan", "tasks");
  private static final List<String> TEXTS =
      List.of("content", "description", "text", "step", "subject", "title");

  private PlanReader() {}

  /// The plan in an object; empty if it has none.
  public static Optional<RunEvent.TaskProgress> read(JsonNode holder) {
    return LISTS.stream()
        .map(holder::path)
        .filter(JsonNode::isArray)
        .findFirst()
        .map(PlanReader::plan);
  }

  private static RunEvent.TaskProgress plan(JsonNode steps) {
    List<PlanEntry> entries = new ArrayList<>();
    for (JsonNode step : steps) {
      String text = text(step);
      if (!text.isBlank()) {
        entries.add(new PlanEntry(text, status(step)));
      }
    }
    return new RunEvent.TaskProgress(entries);
  }

  /// The characters that a plan holds.
  static long chars(RunEvent.TaskProgress plan) {
    return plan.entries().stream()
        .mapToLong(entry -> Remembered.ENTRY_CHARS + entry.text().length())
        .sum();
  }

  private static String text(JsonNode step) {
    return TEXTS.stream()
        .map(member -> step.path(member).asText(""))
        .filter(text -> !text.isBlank())
        .findFirst()
        .orElse("");
  }

  private static PlanEntry.Status status(JsonNode step) {
    return step.path("completed").asBoolean(false)
        ? PlanEntry.Status.COMPLETED
        : status(step.path("status").asText(""));
  }

  /// A dropped step counts as done; an unknown status as not begun.
  public static PlanEntry.Status status(String said) {
    return switch (said) {
      case "completed", "cancelled", "done" -> PlanEntry.Status.COMPLETED;
      case "in_progress", "inProgress" -> PlanEntry.Status.IN_PROGRESS;
      default -> PlanEntry.Status.PENDING;
    };
  }
}
