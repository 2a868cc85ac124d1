package dev.runyard.agent.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.needs.NeedsStandards;
import dev.runyard.needs.Standards;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Plays scripts of steps: ours, and those recorded from the protocol's own hub.
final class HubFixturesTest {
  private static final int SCRIPTS = 13;

  static Stream<Path> recorded() {
    return Standards.files("agent-protocol/hub").stream();
  }

  @Test
  void deliversWhatOurScriptsEmit() throws Exception {
    URL scripts = Objects.requireNonNull(HubFixturesTest.class.getResource("scripts.jsonl"));
    List<String> lines = Files.readAllLines(Path.of(scripts.toURI()));
    assertEquals(SCRIPTS, lines.size());
    for (String line : lines) {
      play(JsonFormat.JSON.readTree(line));
    }
  }

  @Test
  @NeedsStandards
  void knowsEveryScenario() {
    assertEquals(
        List.of(
            "async-iteration.jsonl",
            "commands.jsonl",
            "scoped-context.jsonl",
            "status.jsonl",
            "subscribe-basic.jsonl",
            "subscribe-filter.jsonl",
            "unsubscribe.jsonl"),
        recorded().map(path -> String.valueOf(path.getFileName())).toList());
  }

  @NeedsStandards
  @ParameterizedTest
  @MethodSource("recorded")
  void deliversWhatTheRecordedListenerReceived(Path file) throws IOException {
    for (String line : Files.readAllLines(file)) {
      if (!line.isBlank()) {
        play(JsonFormat.JSON.readTree(line));
      }
    }
  }

  private static void play(JsonNode script) {
    LocalHub hub = Hubs.hub(script.path("sessionId").asText());
    List<EnrichedEvent> heard = new ArrayList<>();
    EventStream stream = hub.events();
    Subscription subscription =
        switch (script.path("scenario").asText()) {
          case "subscribe-filter" -> hub.subscribe("agent:*", heard::add);
          case "async-iteration" -> () -> {};
          case String _ -> hub.subscribe(heard::add);
        };
    for (JsonNode step : script.path("steps")) {
      step(hub, step);
      if (script.path("scenario").asText().equals("unsubscribe")) {
        subscription.close();
        subscription.close();
      }
    }
    hub.close();
    if (script.path("scenario").asText().equals("async-iteration")) {
      stream.forEachRemaining(heard::add);
    }

    JsonNode expect = script.path("expect");
    assertEquals(expect.path("events"), expect.has("events") ? json(heard) : expect.path("events"));
    if (expect.has("status")) {
      assertEquals(expect.path("status").textValue(), hub.status().wire());
      assertEquals(expect.path("sessionActive").booleanValue(), hub.sessionActive());
    }
  }

  private static void step(LocalHub hub, JsonNode step) {
    String message = step.path("message").asText();
    switch (step.path("type").asText()) {
      case "emit" ->
          hub.emit(
              HubEvent.of((ObjectNode) step.path("event")),
              step.has("contextOverride")
                  ? JsonFormat.JSON.convertValue(step.path("contextOverride"), HubScope.class)
                  : HubScope.NONE);
      case "startSession" -> hub.startSession();
      case "send" -> hub.send(message);
      case "sendTo" -> hub.sendTo(step.path("agent").asText(), message);
      case "sendToRun" -> hub.sendToRun(step.path("runId").asText(), message);
      case "reply" ->
          hub.reply(step.path("promptId").asText(), new HubReply(message, null, Instant.EPOCH));
      case "abort" -> hub.abort(null);
      case "setStatus" ->
          hub.setStatus(HubStatus.valueOf(step.path("status").asText().toUpperCase(Locale.ROOT)));
      case String other -> throw new IllegalArgumentException(other);
    }
  }

  /// The received events, without what differs between recordings.
  private static ArrayNode json(List<EnrichedEvent> heard) {
    ArrayNode events = JsonNodeFactory.instance.arrayNode();
    for (EnrichedEvent event : heard) {
      ObjectNode one = events.addObject();
      one.set("event", event.event().json());
      one.set("context", JsonFormat.JSON.valueToTree(event.context()));
    }
    return events;
  }
}
