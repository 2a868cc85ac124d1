package dev.runyard.runner.gateway;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.agent.ModelApi;
import dev.runyard.core.event.ModelNotice;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.usage.Usage;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// What passes the gateway, and what of it is reported.
final class ModelGatewayTest {
  private final GatewayRig rig = new GatewayRig();

  @Test
  void readsATargetThatIsAsLongAsAHeadMayBe() throws Exception {
    try (FakeProvider provider = FakeProvider.answering(200, "application/json", "{}")) {
      AttemptEndpoint endpoint =
          rig.gateway.open(GatewayRig.grant(ModelApi.MESSAGES, provider.origin()));

      String answer =
          GatewayRig.raw(
              endpoint, "GET /%s HTTP/1.1\r\nHost: x\r\n\r\n".formatted("a".repeat(60_000)));

      assertTrue(answer.startsWith("HTTP/1.1 401"), answer);
    }
  }

  @ParameterizedTest
  @EnumSource(ModelApi.class)
  void passesAStreamByteForByteAndSaysWhatItUsed(ModelApi api) throws Exception {
    byte[] stream = Answers.streamed(api).getBytes(StandardCharsets.UTF_8);
    Random random = new Random(7);
    try (FakeProvider provider =
        new FakeProvider(
            (_, out, _) -> {
              FakeProvider.head(
                  out, 200, "Content-Type: text/event-stream", "Transfer-Encoding: chunked");
              for (int at = 0; at < stream.length; ) {
                int length = Math.min(1 + random.nextInt(40), stream.length - at);
                FakeProvider.chunk(out, stream, at, length);
                at += length;
              }
              FakeProvider.end(out);
            })) {
      AttemptEndpoint endpoint =
          rig.gateway.open(GatewayRig.grant(api, provider.origin() + Answers.base(api)));

      HttpResponse<byte[]> answer =
          rig.post(endpoint, Answers.path(api, true), "{\"model\":\"m-1\",\"stream\":true}");

      assertEquals(200, answer.statusCode());
      assertArrayEquals(stream, answer.body());
      RunEvent.CostRecorded cost = GatewayRig.until(endpoint, RunEvent.CostRecorded.class);
      assertEquals(Answers.used(api), cost.usage());
      assertEquals("m-1", cost.model());
      assertEquals(api.label(), GatewayRig.call(cost).api());
      assertEquals(200, GatewayRig.call(cost).status());
      assertFalse(GatewayRig.call(cost).estimated());
      assertEquals(null, GatewayRig.call(cost).cut());
      assertTrue(
          Objects.requireNonNull(GatewayRig.call(cost).firstByteMillis())
              <= GatewayRig.call(cost).durationMillis());
    }
  }

  @ParameterizedTest
  @EnumSource(ModelApi.class)
  void passesAWholeAnswerAndSaysWhatItUsed(ModelApi api) throws Exception {
    try (FakeProvider provider =
        FakeProvider.answering(200, "application/json", Answers.whole(api))) {
      AttemptEndpoint endpoint =
          rig.gateway.open(GatewayRig.grant(api, provider.origin() + Answers.base(api)));

      HttpResponse<byte[]> answer =
          rig.post(endpoint, Answers.path(api, false), "{\"model\":\"m-1\"}");

      assertEquals(Answers.whole(api), new String(answer.body(), StandardCharsets.UTF_8));
      RunEvent.CostRecorded cost = GatewayRig.until(endpoint, RunEvent.CostRecorded.class);
      assertEquals(Answers.used(api), cost.usage());
      assertFalse(GatewayRig.call(cost).estimated());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "authorization,Bearer %s",
    "x-api-key,%s",
    "x-goog-api-key,%s",
    "api-key,%s",
  })
  void putsTheKeyWhereTheAgentPutItsToken(String header, String value) throws Exception {
    try (FakeProvider provider = FakeProvider.answering(200, "application/json", "{}")) {
      AttemptEndpoint endpoint =
          rig.gateway.open(GatewayRig.grant(ModelApi.MESSAGES, provider.origin()));

      rig.post(
          endpoint,
          "/v1/messages?beta=true&key=" + endpoint.token(),
          "{\"model\":\"m\",\"größe\":1}",
          header,
          value.formatted(endpoint.token()),
          "anthropic-beta",
          "a,b",
          "accept-encoding",
          "br, zstd");

      FakeProvider.Seen seen = provider.seen().getFirst();
      assertEquals("POST /v1/messages?beta=true HTTP/1.1", seen.line());
      assertEquals(List.of(value.formatted(GatewayRig.KEY)), seen.all(header));
      assertEquals(List.of("a,b"), seen.all("anthropic-beta"));
      assertEquals(List.of(), seen.all("accept-encoding"));
      assertEquals("{\"model\":\"m\",\"größe\":1}", seen.text());
      assertFalse(seen.head().contains(endpoint.token()));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "RESPONSES,authorization,Bearer sk-operator-0001",
    "MESSAGES,x-api-key,sk-operator-0001",
    "GEMINI,x-goog-api-key,sk-operator-0001",
  })
  void addsTheKeyForAnAgentThatSendsNone(ModelApi api, String header, String value)
      throws Exception {
    try (FakeProvider provider = FakeProvider.answering(200, "application/json", "{}")) {
      AttemptEndpoint endpoint =
          rig.gateway.open(GatewayRig.grant(api, provider.origin() + Answers.base(api)));

      rig.post(
          endpoint,
          Answers.path(api, false),
          "{\"model\":\"m\"}",
          "x-api-key",
          "somebody-elses",
          "authorization",
          "Bearer other");

      FakeProvider.Seen seen = provider.seen().getFirst();
      assertEquals(List.of(value), seen.all(header));
      assertFalse(seen.head().contains("somebody-elses") || seen.head().contains("other"));
    }
  }

  @Test
  void passesErrorsUnchangedAndReportsThem() throws Exception {
    try (FakeProvider provider =
        new FakeProvider(
            (seen, out, _) -> {
              int status = Integer.parseInt(seen.text().replaceAll("\\D", ""));
              FakeProvider.head(out, status, "Retry-After: 7", "Content-Length: 2");
              out.write("no".getBytes(StandardCharsets.US_ASCII));
            })) {
      AttemptEndpoint endpoint =
          rig.gateway.open(GatewayRig.grant(ModelApi.RESPONSES, provider.origin() + "/v1"));

      HttpResponse<byte[]> limited = rig.post(endpoint, "/responses", "{\"model\":\"m429\"}");
      HttpResponse<byte[]> refused = rig.post(endpoint, "/responses", "{\"model\":\"m401\"}");
      rig.post(endpoint, "/responses", "{\"model\":\"m401\"}");

      assertEquals(429, limited.statusCode());
      assertEquals("7", limited.headers().firstValue("retry-after").orElseThrow());
      assertEquals(401, refused.statusCode());
      assertEquals("no", new String(refused.body(), StandardCharsets.US_ASCII));
      ModelNotice.RateLimitHit hit = GatewayRig.until(endpoint, ModelNotice.RateLimitHit.class);
      assertEquals(7, hit.retryAfterSeconds());
      ModelNotice.ModelFailed first = GatewayRig.until(endpoint, ModelNotice.ModelFailed.class);
      assertEquals("key_refused", first.code());
      assertEquals(0, first.call().retry());
      assertEquals(1, GatewayRig.until(endpoint, ModelNotice.ModelFailed.class).call().retry());
    }
  }

  @Test
  void listsModelsAndCountsTokensWithoutReportingIt() throws Exception {
    try (FakeProvider provider = FakeProvider.answering(200, "application/json", "{\"n\":1}")) {
      AttemptEndpoint endpoint =
          rig.gateway.open(GatewayRig.grant(ModelApi.MESSAGES, provider.origin()));

      rig.post(endpoint, "/v1/messages/count_tokens", "{\"model\":\"m\"}");
      String list =
          GatewayRig.raw(
              endpoint,
              "GET %s/v1/models HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                  .formatted(GatewayRig.path(endpoint)));

      assertTrue(list.endsWith("{\"n\":1}"), list);
      assertEquals(2, provider.seen().size());
      endpoint.close();
      assertEquals(List.of(), endpoint.take(10));
    }
  }

  @Test
  void tellsAnAgentThatLooksThatItIsThere() throws Exception {
    AttemptEndpoint endpoint =
        rig.gateway.open(GatewayRig.grant(ModelApi.MESSAGES, "http://127.0.0.1:9"));

    String answer =
        GatewayRig.raw(
            endpoint,
            "HEAD %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                .formatted(GatewayRig.path(endpoint)));

    assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
  }

  @Test
  void countsATurnForEachAnswer() throws Exception {
    try (FakeProvider provider =
        FakeProvider.answering(200, "application/json", Answers.whole(ModelApi.MESSAGES))) {
      AttemptEndpoint endpoint =
          rig.gateway.open(GatewayRig.grant(ModelApi.MESSAGES, provider.origin()));
      Usage all = Usage.NONE;

      for (int i = 0; i < 3; i++) {
        rig.post(endpoint, "/v1/messages", "{\"model\":\"m\"}");
        all = all.plus(GatewayRig.until(endpoint, RunEvent.CostRecorded.class).usage());
      }

      assertEquals(3, all.turns());
    }
  }
}
