package dev.runyard.runner.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.agent.ModelApi;
import dev.runyard.core.agent.ModelRoute;
import dev.runyard.core.agent.Prices;
import dev.runyard.core.event.ModelNotice;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.usage.Usage;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Calls of a run that may not have any number of them.
final class BoundedCallsTest {
  private final GatewayRig rig = new GatewayRig();

  @ParameterizedTest
  @EnumSource(ModelApi.class)
  void refusesTheCallThatGoesOver(ModelApi api) throws Exception {
    try (FakeProvider provider =
            FakeProvider.answering(200, "application/json", Answers.whole(api));
        AttemptEndpoint endpoint =
            rig.gateway.open(
                GatewayRig.grant(
                    api,
                    provider.origin() + Answers.base(api),
                    new RunBounds(2, null, null, null, null)))) {
      String path = Answers.path(api, false);
      rig.post(endpoint, path, "{\"model\":\"m\"}");
      rig.post(endpoint, path, "{\"model\":\"m\"}");

      HttpResponse<byte[]> refused = rig.post(endpoint, path, "{\"model\":\"m\"}");

      assertEquals(400, refused.statusCode());
      String text = new String(refused.body(), StandardCharsets.UTF_8);
      assertTrue(text.contains("max_turns") && text.contains("\"error\""), text);
      assertEquals(2, provider.seen().size());
      assertEquals(
          new ModelNotice.QuotaLow("max_turns", 2, 2),
          GatewayRig.until(endpoint, ModelNotice.QuotaLow.class));
      ModelNotice.QuotaBlocked blocked = GatewayRig.until(endpoint, ModelNotice.QuotaBlocked.class);
      assertEquals("max_turns", blocked.bound());
    }
  }

  @Test
  void hasACallWaitForThoseWithWhichItWouldGoOver() throws Exception {
    CompletableFuture<Void> begun = new CompletableFuture<>();
    CompletableFuture<Void> goOn = new CompletableFuture<>();
    FakeProvider.Script script =
        (_, out, _) -> {
          begun.complete(null);
          goOn.join();
          FakeProvider.send(out, 200, "application/json", Answers.whole(ModelApi.MESSAGES));
        };
    try (FakeProvider provider = new FakeProvider(script);
        AttemptEndpoint endpoint =
            rig.gateway.open(
                GatewayRig.grant(
                    ModelApi.MESSAGES,
                    provider.origin(),
                    new RunBounds(1, null, null, null, null)))) {
      CompletableFuture<HttpResponse<byte[]>> first =
          CompletableFuture.supplyAsync(() -> asked(endpoint));
      begun.join();

      CompletableFuture<HttpResponse<byte[]>> second =
          CompletableFuture.supplyAsync(() -> asked(endpoint));
      goOn.complete(null);

      assertEquals(200, first.join().statusCode());
      assertEquals(400, second.join().statusCode());
      assertEquals(1, provider.seen().size());
    }
  }

  @ParameterizedTest
  @EnumSource(ModelApi.class)
  void stopsTheAnswerThatGoesOver(ModelApi api) throws Exception {
    CompletableFuture<IOException> broken = new CompletableFuture<>();
    byte[] event = "data: {\"of\":\"an answer\"}\n\n".getBytes(StandardCharsets.US_ASCII);
    FakeProvider.Script endless =
        (_, out, _) -> {
          FakeProvider.head(
              out, 200, "Content-Type: text/event-stream", "Transfer-Encoding: chunked");
          try {
            while (!broken.isDone()) {
              FakeProvider.chunk(out, event, 0, event.length);
            }
          } catch (IOException e) {
            broken.complete(e);
          }
        };
    try (FakeProvider provider = new FakeProvider(endless);
        AttemptEndpoint endpoint =
            rig.gateway.open(
                GatewayRig.grant(
                    api,
                    provider.origin() + Answers.base(api),
                    new RunBounds(null, 1000L, null, null, null)))) {
      String path = Answers.path(api, true);

      assertThrows(IOException.class, () -> rig.post(endpoint, path, "{\"model\":\"m\"}"));

      RunEvent.CostRecorded cost = GatewayRig.until(endpoint, RunEvent.CostRecorded.class);
      assertEquals("bound_reached", GatewayRig.call(cost).cut());
      assertTrue(cost.usage().tokens() > 1000, cost.usage().toString());
      assertNotNull(broken.join());
    }
  }

  private HttpResponse<byte[]> asked(AttemptEndpoint endpoint) {
    try {
      return rig.post(endpoint, Answers.path(ModelApi.MESSAGES, false), "{\"model\":\"m\"}");
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Google's APIs let callers choose what of an answer they get.
  @Test
  void giveNoAnswerThatDoesNotSayWhatItUsed() throws Exception {
    try (FakeProvider provider =
            FakeProvider.answering(200, "application/json", Answers.whole(ModelApi.GEMINI));
        AttemptEndpoint endpoint =
            rig.gateway.open(GatewayRig.grant(ModelApi.GEMINI, provider.origin()))) {
      String path = "/v1beta/models/m:generateContent?";
      for (String query :
          List.of(
              "fields=candidates",
              "$fields=candidates",
              "%66ields=candidates",
              "alt=proto",
              "alt=sse&callback=f")) {
        assertEquals(400, rig.post(endpoint, path + query, "{}").statusCode(), query);
      }
      HttpResponse<byte[]> plain =
          rig.post(
              endpoint,
              path + "alt=sse&key=any",
              "{}",
              "X-Goog-FieldMask",
              "candidates",
              "X-HTTP-Method-Override",
              "DELETE");

      assertEquals(200, plain.statusCode());
      FakeProvider.Seen seen = provider.seen().getFirst();
      assertEquals(1, provider.seen().size());
      assertEquals(List.of(), seen.all("x-goog-fieldmask"));
      assertEquals(List.of(), seen.all("x-http-method-override"));
    }
  }

  @Test
  void countsWhatTheRunUsedBefore() throws Exception {
    ModelGrant grant =
        new ModelGrant(
            new ModelRoute(ModelApi.MESSAGES, "http://127.0.0.1:9"),
            Optional.empty(),
            Set.of(),
            Prices.NONE,
            new RunBounds(null, 100L, null, null, null),
            new Usage(90, 0, 10, 0, null));
    try (AttemptEndpoint endpoint = rig.gateway.open(grant)) {
      assertEquals(400, rig.post(endpoint, "/v1/messages", "{\"model\":\"m\"}").statusCode());
      assertEquals(
          new ModelNotice.QuotaBlocked("max_tokens", "m"),
          GatewayRig.until(endpoint, ModelNotice.QuotaBlocked.class));
    }
  }

  @Test
  void pricesEachCallByItsModel() {
    Prices prices =
        new Prices(
            Map.of("m", new Prices.Price(1, 1, 1, 1), Prices.ANY, new Prices.Price(2, 2, 2, 2)));
    Spending spending =
        new Spending(new RunBounds(null, null, 5.0, null, null), prices, Usage.NONE);
    Usage million = new Usage(1_000_000, 0, 0, 0, null);

    assertEquals(List.of(), spending.add(spending.priced(million, "m")));
    assertEquals(Optional.empty(), spending.blocks(Usage.NONE));
    assertEquals(List.of(), spending.add(spending.priced(million, "other")));
    assertEquals(
        List.of(new ModelNotice.QuotaLow("max_cost_usd", 5, 5)),
        spending.add(spending.priced(million, null)));
    assertEquals(Optional.of("max_cost_usd"), spending.blocks(Usage.NONE));
    assertEquals(List.of(), spending.add(spending.priced(million, "m")));
  }

  @Test
  void countsCallsThatHaveNotEnded() {
    Spending spending =
        new Spending(new RunBounds(2, null, null, null, null), Prices.NONE, Usage.NONE);
    spending.add(Usage.NONE.asTurn());

    assertEquals(Optional.empty(), spending.blocks(Usage.NONE));
    assertEquals(Optional.of("max_turns"), spending.blocks(new Usage(1, 0, 0, 0, null).asTurn()));
  }
}
