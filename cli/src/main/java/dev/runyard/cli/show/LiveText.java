package dev.runyard.cli.show;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.ClientEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// A live run for a person: the agent's text as it comes, and a line for everything else worth
/// knowing. Bookkeeping events are left out.
public final class LiveText {
  static final int PREVIEW_LINES_MAX = 12;
  private static final int KILOBYTE = 1024;

  private final Consumer<String> out;
  private final Style style;
  private boolean inText;

  /// @param out prints text unchanged, without adding a line end
  public LiveText(Consumer<String> out, Style style) {
    this.out = out;
    this.style = style;
  }

  public void print(ClientEvent event) {
    JsonNode payload = event.payload();
    switch (event.type()) {
      case "model.delta" -> text(SafeText.block(payload.path("text").asText()));
      case "reasoning.delta" -> text(style.dim(SafeText.block(payload.path("text").asText())));
      case "model.completed" -> endText();
      case "tool.started" -> line(style.name("tool ") + EventText.of(event));
      case "tool.result" -> result(style.good("result "), event);
      case "tool.failed" -> result(style.bad("failed "), event);
      case "artifact.changed" -> line(style.name("file ") + EventText.of(event));
      case "task.progress" -> line(style.name("plan ") + EventText.of(event));
      case "task.created",
          "task.queued",
          "task.attempt.started",
          "process.started",
          "process.completed" ->
          line(style.dim(label(event) + EventText.of(event)));
      case "task.blocked",
          "task.retrying",
          "runtime.warning",
          "output.truncated",
          "task.cancel_requested" ->
          line(style.name(label(event)) + EventText.of(event));
      case "action.required" -> asked(payload);
      case "action.resolved" -> line(style.name("decided ") + EventText.of(event));
      case "channel.message" -> line(style.name("message ") + EventText.of(event));
      case "runtime.error", "process.failed", "process.terminated", "task.attempt.failed" ->
          line(style.bad(label(event)) + EventText.of(event));
      case "turn.submitted",
          "turn.started",
          "turn.completed",
          "turn.failed",
          "run.status",
          "session.updated",
          "tool.progress",
          "cost.recorded",
          "output.spilled",
          "permission.requested",
          "permission.resolved",
          "task.waiting",
          "process.input",
          "task.attempt.completed",
          "task.completed",
          "task.failed",
          "task.cancelled",
          "task.timed_out",
          "task.lost" ->
          endText();
      default -> line(style.dim(label(event) + EventText.of(event)));
    }
  }

  /// Ends a line of the agent's text that has no line end.
  public void endText() {
    if (inText) {
      out.accept("\n");
      inText = false;
    }
  }

  private void text(String text) {
    if (!text.isEmpty()) {
      out.accept(text);
      inText = !text.endsWith("\n");
    }
  }

  private void result(String label, ClientEvent event) {
    JsonNode payload = event.payload();
    line(label + SafeText.line(EventText.tool(payload)) + EventText.exitCode(payload));
    String preview = SafeText.block(payload.path("preview").asText()).stripTrailing();
    if (!preview.isEmpty()) {
      preview.lines().limit(PREVIEW_LINES_MAX).forEach(line -> line(style.dim("  | " + line)));
      long left = preview.lines().count() - PREVIEW_LINES_MAX;
      if (left > 0) {
        line(style.dim("  | … " + left + " more lines"));
      }
    }
    String output = SafeText.line(payload.path("outputRef").asText());
    if (!output.isEmpty()) {
      String run = SafeText.line(event.body().path("runId").asText());
      line(
          style.dim(
              "  | %s in all: ./runyard output %s %s"
                  .formatted(kilobytes(payload.path("outputBytes").asLong()), run, output)));
    }
  }

  private static String kilobytes(long bytes) {
    return Math.max(1, bytes / KILOBYTE) + " KB";
  }

  /// What a person is asked, and how to decide it.
  private void asked(JsonNode payload) {
    line(style.name("asks ") + SafeText.line(payload.path("prompt").asText()));
    List<String> choices = new ArrayList<>();
    payload.path("choices").forEach(choice -> choices.add(SafeText.line(choice.asText())));
    if (!choices.isEmpty()) {
      line(style.dim("  | " + String.join(" | ", choices)));
    }
    String id = SafeText.line(payload.path("actionId").asText());
    line(
        style.dim(
            payload.path("actionType").asText().equals("permission")
                ? "  | ./runyard approve " + id + "  or  ./runyard deny " + id
                : "  | ./runyard answer " + id + " \"...\""));
  }

  private void line(String text) {
    endText();
    out.accept(text.stripTrailing() + "\n");
  }

  private static String label(ClientEvent event) {
    return event.type() + " ";
  }
}
