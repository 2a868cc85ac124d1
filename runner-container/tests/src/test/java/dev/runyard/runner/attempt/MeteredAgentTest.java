package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.agent.ModelApi;
import dev.runyard.core.agent.ModelRoute;
import dev.runyard.core.agent.Prices;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.ModelNotice;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.usage.Usage;
import dev.runyard.runner.backend.AgentControl;
import dev.runyard.runner.backend.AgentOutput;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.EventShaper;
import dev.runyard.runner.gateway.AttemptEndpoint;
import dev.runyard.runner.gateway.ModelGateway;
import dev.runyard.runner.gateway.ModelGrant;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// An agent whose calls the model gateway counts.
final class MeteredAgentTest {
  private static final Prices PRICES =
      new Prices(Map.of(Prices.ANY, new Prices.Price(10, 10, 10, 40)));
  private static final Usage SAID = new Usage(100, 0, 10, 0, 0.5).asTurn();

  private final AgentOutput output = new AgentOutput(EventShaper.bare());
  private final AgentRun run = new AgentRun(output, AgentControl.withoutInput(output, () -> {}));
  private final AttemptEndpoint endpoint;

  MeteredAgentTest() throws IOException {
    endpoint =
        new ModelGateway(InstantSource.system(), new RandomIds(new SecureRandom()))
            .open(
                new ModelGrant(
                    new ModelRoute(ModelApi.MESSAGES, "http://127.0.0.1:9"),
                    Optional.empty(),
                    Set.of("good"),
                    Prices.NONE,
                    RunBounds.NONE,
                    Usage.NONE));
  }

  @Test
  void countsNothingOfWhatTheAgentSaysButItsCost() throws Exception {
    assertEquals(
        List.of(new RunEvent.CostRecorded(Usage.NONE.at(0.5), "m")), told(Prices.NONE, false));
  }

  @Test
  void takesTheCostFromThePricesWhereThereAreSome() throws Exception {
    assertEquals(List.of(), told(PRICES, false));
  }

  /// An attempt that continues leaves out as many events as the one before reported.
  @Test
  void leavesTheNumberOfEventsOfAnAgentThatIsExecutedAgain() throws Exception {
    assertEquals(List.of(new RunEvent.CostRecorded(Usage.NONE, "m")), told(PRICES, true));
  }

  /// An agent ends with what it has got; what the gateway still has to say comes before that.
  @Test
  void saysWhatWasCalledBeforeTheEnd() throws Exception {
    HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(endpoint.address() + "/v1/messages"))
                .POST(HttpRequest.BodyPublishers.ofString("{\"model\":\"bad\"}"))
                .build(),
            HttpResponse.BodyHandlers.discarding());
    output.end(new AgentSignal.Ended(Optional.empty(), 1, Optional.empty(), 0));

    List<AgentSignal> signals =
        new MeteredAgent(run, endpoint, PRICES, false, EventShaper.bare()).take(1);
    if (signals.size() == 1) {
      signals =
          List.of(
              signals.getFirst(),
              new MeteredAgent(run, endpoint, PRICES, false, EventShaper.bare())
                  .take(1)
                  .getFirst());
    }

    RunEvent first = assertInstanceOf(AgentSignal.Output.class, signals.getFirst()).event();
    assertEquals(
        "model_not_allowed", assertInstanceOf(ModelNotice.ModelFailed.class, first).code());
    assertInstanceOf(AgentSignal.Ended.class, signals.getLast());
  }

  /// An agent knows the secrets it was given, and names models as it likes. What is held back of
  /// its output, since a secret may begin there, is not let out by a call of a model in between.
  @Test
  void printsNoSecretAsTheNameOfAModel() throws Exception {
    EventShaper shaper = EventShaper.bare();
    shaper.know("TOKEN", "canary-0123456789");
    AgentOutput printing = new AgentOutput(shaper);
    AgentRun agent = new AgentRun(printing, AgentControl.withoutInput(printing, () -> {}));
    printing.tell(new RunEvent.ModelDelta("it is canary-01"));
    HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(endpoint.address() + "/v1/messages"))
                .POST(HttpRequest.BodyPublishers.ofString("{\"model\":\"canary-0123456789\"}"))
                .build(),
            HttpResponse.BodyHandlers.discarding());
    String said = new MeteredAgent(agent, endpoint, PRICES, false, shaper).take(10).toString();
    printing.tell(new RunEvent.ModelDelta("23456789"));
    said += agent.take(10).toString();

    assertTrue(said.contains("The model [redacted TOKEN] is not allowed"), said);
    assertFalse(said.contains("canary"), said);
  }

  private List<RunEvent> told(Prices prices, boolean replayed) throws InterruptedException {
    output.tell(new RunEvent.CostRecorded(SAID, "m"));
    return new MeteredAgent(run, endpoint, prices, replayed, EventShaper.bare())
        .take(10).stream()
            .map(signal -> assertInstanceOf(AgentSignal.Output.class, signal).event())
            .toList();
  }
}
