package dev.runyard.runner.backend.echo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.message.Message;
import dev.runyard.core.message.MessagePart;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.transcript.MessageEvents;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.Requests;
import dev.runyard.runner.backend.RunContext;
import dev.runyard.runner.backend.Signals;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EchoBackendTest {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  @TempDir private Path directory;

  @Test
  void answersWithThePrompt() {
    Signals told = Signals.of(start("say it", Map.of()));

    assertEquals(
        List.of(new RunEvent.ModelDelta("say it"), new RunEvent.ModelCompleted()), told.events());
    assertEquals(Optional.of(new Attempt.Exit(0, null)), told.end().exit());
    assertEquals(Optional.empty(), told.end().failure());
  }

  @Test
  void returnsEachMessageItWasGivenInItsOwnRole() {
    AgentRunRequest plain = Requests.request("echo", "a\nb", Map.of(), directory);
    List<Message> input =
        List.of(
            new Message("user", List.of(MessagePart.text("a")), "2026-01-01T00:00:00.1Z", null),
            Message.text("agent/other", "b"));
    AgentRunRequest request =
        new AgentRunRequest(
            plain.kind(),
            plain.runId(),
            plain.attemptId(),
            plain.prompt(),
            Map.of(),
            directory,
            directory,
            Map.of(),
            new RunContext(plain.standing().run(), "session-1", input, Interactions.EMPTY, false));

    Signals told = Signals.of(new EchoBackend().start(request, Requests.context(directory)));

    List<RunEvent> expected = new ArrayList<>();
    for (Message message : input) {
      expected.addAll(
          MessageEvents.whole(
              new Message("agent/echo", message.parts(), message.createdAt(), null)));
    }
    assertEquals(expected, told.events());
  }

  @Test
  void answersAsOftenAsAsked() {
    Signals told =
        Signals.of(
            start(
                "x",
                Map.of(
                    AgentCatalog.ECHO_EVENTS,
                    JSON.numberNode(20_000),
                    AgentCatalog.ECHO_INTERVAL_MILLIS,
                    JSON.numberNode(0))));

    assertEquals(20_001, told.events().size());
    assertEquals("x".repeat(20_000), told.text());
  }

  @Test
  void waitsBetweenItsEvents() {
    Signals told =
        Signals.of(
            start(
                "x",
                Map.of(
                    AgentCatalog.ECHO_EVENTS,
                    JSON.numberNode(3),
                    AgentCatalog.ECHO_INTERVAL_MILLIS,
                    JSON.numberNode(20))));

    assertTrue(told.end().durationMillis() >= 40, told.end().toString());
  }

  @Test
  void failsWhenAsked() {
    Signals told = Signals.of(start("x", Map.of(AgentCatalog.ECHO_FAIL, JSON.booleanNode(true))));

    assertEquals("x", told.text());
    assertEquals("echo_failed", told.end().failure().orElseThrow().code());
    assertEquals(Optional.of(new Attempt.Exit(1, null)), told.end().exit());
  }

  @Test
  void stopsInTheMiddle() {
    AgentRun run =
        start(
            "x",
            Map.of(
                AgentCatalog.ECHO_EVENTS,
                JSON.numberNode(2),
                AgentCatalog.ECHO_INTERVAL_MILLIS,
                JSON.numberNode(AgentCatalog.ECHO_INTERVAL_MILLIS_MAX)));
    assertEquals(new RunEvent.ModelDelta("x"), Signals.next(run));

    run.stop();
    Signals told = Signals.of(run);

    assertEquals(List.of(), told.events());
    assertEquals("echo_stopped", told.end().failure().orElseThrow().code());
  }

  @Test
  void stopsWhileNobodyTakesWhatItSays() {
    AgentRun run = start("x", Map.of(AgentCatalog.ECHO_EVENTS, JSON.numberNode(100_000)));
    assertEquals(new RunEvent.ModelDelta("x"), Signals.next(run));

    run.stop();

    assertEquals("echo_stopped", Signals.of(run).end().failure().orElseThrow().code());
  }

  @Test
  void splitsAPromptThatIsLongerThanAnEvent() {
    String prompt = "💖".repeat(Limits.PROMPT_BYTES_MAX / 4);

    Signals told = Signals.of(start(prompt, Map.of()));

    assertEquals(prompt, told.text());
    assertEquals(Limits.PROMPT_BYTES_MAX / Limits.TEXT_BYTES_MAX + 1, told.events().size());
  }

  private AgentRun start(String prompt, Map<String, JsonNode> extensions) {
    return new EchoBackend()
        .start(
            Requests.request("echo", prompt, extensions, directory), Requests.context(directory));
  }
}
