package dev.runyard.cli.show;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.ClientEvent;

/// One event on one line: sequence, time, type and a summary.
public final class EventRow {
  private static final int SEQUENCE_WIDTH = 5;
  private static final int TYPE_WIDTH = 22;

  private EventRow() {}

  public static String of(ClientEvent event, Style style) {
    JsonNode body = event.body();
    String time = body.path("timestamp").asText();
    String text = body.has("payload") ? EventText.of(event) : SafeText.line(body.toString());
    return (padLeft(Long.toString(event.sequence()))
            + " "
            + (time.isEmpty() ? "" : style.dim(time) + " ")
            + style.name(event.type())
            + " ".repeat(Math.max(1, TYPE_WIDTH - event.type().length()))
            + text)
        .stripTrailing();
  }

  private static String padLeft(String number) {
    return " ".repeat(Math.max(0, SEQUENCE_WIDTH - number.length())) + number;
  }
}
