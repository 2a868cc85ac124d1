package dev.runyard.runner.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.runyard.core.agent.ModelApi;
import java.io.OutputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A provider that tells whoever calls which key it got.
final class EchoingProviderTest {
  private static final String CALL = "{\"model\":\"m\"}";
  private static final String STARS = "*".repeat(GatewayRig.KEY.length());

  private final GatewayRig rig = new GatewayRig();

  /// An agent could make the key one that the provider finds wrong, and shows.
  @ParameterizedTest
  @CsvSource({
    "authorization, Bearer xT",
    "authorization, Bearer Tx",
    "authorization, Bearer T T",
    "authorization, xT",
    "authorization, Basic T",
    "x-api-key, T-x",
    "api-key, sk-T",
  })
  void getsThePlainKeyWhateverIsAroundTheToken(String header, String value) throws Exception {
    try (FakeProvider provider = FakeProvider.answering(200, "application/json", "{}");
        AttemptEndpoint endpoint =
            rig.gateway.open(GatewayRig.grant(ModelApi.RESPONSES, provider.origin()))) {
      rig.post(endpoint, "/responses", CALL, header, value.replace("T", endpoint.token()));

      FakeProvider.Seen seen = provider.seen().getFirst();
      assertEquals(List.of("Bearer " + GatewayRig.KEY), seen.all("authorization"));
      assertEquals(List.of(), seen.all("x-api-key"));
      assertEquals(List.of(), seen.all("api-key"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "authorization, Bearer T, Bearer K",
    "authorization, bearer  T, bearer  K",
    "authorization, T, K",
    "x-goog-api-key, T, K",
  })
  void getsItWhereTheTokenStands(String header, String value, String got) throws Exception {
    try (FakeProvider provider = FakeProvider.answering(200, "application/json", "{}");
        AttemptEndpoint endpoint =
            rig.gateway.open(GatewayRig.grant(ModelApi.RESPONSES, provider.origin()))) {
      rig.post(endpoint, "/responses", CALL, header, value.replace("T", endpoint.token()));

      assertEquals(
          List.of(got.replace("K", GatewayRig.KEY)), provider.seen().getFirst().all(header));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 307, 401, 500})
  void tellsTheAgentNoKey(int status) throws Exception {
    try (FakeProvider provider = new FakeProvider((seen, out, _) -> echo(seen, out, status, 1));
        AttemptEndpoint endpoint =
            rig.gateway.open(GatewayRig.grant(ModelApi.MESSAGES, provider.origin()))) {
      HttpResponse<byte[]> answer = rig.post(endpoint, "/v1/messages", CALL);

      assertEquals(status, answer.statusCode());
      assertEquals("got sk-" + STARS + "! s", text(answer));
      assertEquals(STARS, answer.headers().firstValue("x-key").orElseThrow());
      assertFalse(answer.headers().toString().contains(GatewayRig.KEY));
    }
  }

  @Test
  void tellsTheAgentNoKeyInAnAnswerOfKnownLength() throws Exception {
    String body = "s" + GatewayRig.KEY + GatewayRig.KEY + "sk-operator-000";
    try (FakeProvider provider = FakeProvider.answering(403, "text/plain", body);
        AttemptEndpoint endpoint =
            rig.gateway.open(GatewayRig.grant(ModelApi.MESSAGES, provider.origin()))) {
      assertEquals(
          "s" + STARS + STARS + "sk-operator-000", text(rig.post(endpoint, "/v1/messages", CALL)));
    }
  }

  /// A word that is somebody's key is a word of answers, too.
  @Test
  void mayAnswerWithAWordThatIsItsKey() throws Exception {
    assertEquals("lm-studio", passed("lm-studio", 200));
    assertEquals("*********", passed("lm-studio", 400));
    assertEquals("none", passed("none", 400));
  }

  private static String passed(String key, int status) {
    KeyCover cover = KeyCover.of(Optional.of(key), status);
    String text =
        StandardCharsets.UTF_8.decode(cover.next(StandardCharsets.UTF_8.encode(key))).toString();
    assertFalse(cover.rest().hasRemaining());
    return text;
  }

  /// Echoes the key in chunks of so many bytes.
  private static void echo(FakeProvider.Seen seen, OutputStream out, int status, int chunk)
      throws Exception {
    String key = seen.all("x-api-key").getFirst();
    FakeProvider.head(
        out, status, "X-Key: " + key, "Content-Type: text/plain", "Transfer-Encoding: chunked");
    byte[] body = ("got sk-" + key + "! s").getBytes(StandardCharsets.UTF_8);
    for (int at = 0; at < body.length; at += chunk) {
      FakeProvider.chunk(out, body, at, chunk);
    }
    FakeProvider.end(out);
  }

  private static String text(HttpResponse<byte[]> answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }
}
