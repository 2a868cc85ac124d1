package dev.runyard.bench.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Checks one ended run over HTTP: its log is 1..n without a gap, has one terminal event, which is
/// the last, and every way to read the run agrees with it.
final class RunCheck {
  private static final int PAGE_EVENTS = 1000;
  private static final String TERMINAL = "task\\.(completed|failed|cancelled|timed_out|lost)";

  private final Wire wire;
  private final Findings findings;

  RunCheck(Wire wire, Findings findings) {
    this.wire = wire;
    this.findings = findings;
  }

  static boolean isTerminal(String type) {
    return type.matches(TERMINAL);
  }

  /// Waits for the run's end and checks it.
  ///
  /// @return every event of the log
  List<JsonNode> check(String runId) throws IOException, InterruptedException {
    List<JsonNode> events = log(runId);
    List<String> terminal =
        events.stream()
            .map(event -> event.path("type").asText())
            .filter(RunCheck::isTerminal)
            .toList();
    findings.require(terminal.size() == 1, "I3: %s has the terminal events %s", runId, terminal);
    String last = events.isEmpty() ? "" : events.getLast().path("type").asText();
    findings.require(isTerminal(last), "I3: %s has %s behind its terminal event", runId, last);
    agrees(runId, events, last);
    events.stream()
        .filter(event -> event.path("type").asText().equals("task.attempt.started"))
        .forEach(event -> findings.worked(event.at("/payload/runner").asText()));
    return events;
  }

  private List<JsonNode> log(String runId) throws IOException, InterruptedException {
    List<JsonNode> events = new ArrayList<>();
    JsonNode page;
    do {
      page =
          wire.found(
              "/v1/runs/%s/events?after=%d&limit=%d&wait=20"
                  .formatted(runId, events.size(), PAGE_EVENTS));
      for (JsonNode event : page.path("events")) {
        events.add(event);
        findings.require(
            event.path("sequence").asLong() == events.size(),
            "I2: %s has %d where %d is due",
            runId,
            event.path("sequence").asLong(),
            events.size());
      }
    } while (!page.path("closed").asBoolean() || !page.path("events").isEmpty());
    return events;
  }

  private void agrees(String runId, List<JsonNode> events, String last)
      throws IOException, InterruptedException {
    JsonNode run = wire.run(runId);
    String status =
        switch (last) {
          case "task.completed" -> "completed";
          case "task.cancelled" -> "cancelled";
          case String _ -> "failed";
        };
    findings.require(
        run.path("closed").asBoolean()
            && run.path("last_sequence").asInt() == events.size()
            && run.path("status").asText().equals(status)
            && run.path("finished_at").asText().equals(time(events)),
        "I5: %s ended with %s at %d, and is read as %s",
        runId,
        last,
        events.size(),
        run);
    JsonNode acp = wire.found("/runs/" + runId);
    findings.require(
        acp.path("status").asText().equals(status),
        "I5: %s ended with %s, and is read as %s",
        runId,
        last,
        acp);
    if (status.equals("completed")) {
      StringBuilder said = new StringBuilder();
      events.stream()
          .filter(event -> event.path("type").asText().equals("model.delta"))
          .forEach(event -> said.append(event.at("/payload/text").asText()));
      findings.require(
          run.path("final_text").asText().contentEquals(said),
          "I5: %s said %s, and is read as having said %s",
          runId,
          said,
          run.path("final_text"));
    }
  }

  private static String time(List<JsonNode> events) {
    return events.isEmpty() ? "" : events.getLast().path("timestamp").asText();
  }
}
