package dev.runyard.functions.api;

import static dev.runyard.functions.api.Client.json;
import static dev.runyard.functions.api.Client.post;
import static dev.runyard.functions.api.Client.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.access.Identity;
import dev.runyard.core.hook.HookLimits;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.run.RunState;
import dev.runyard.core.secret.Fetched;
import dev.runyard.core.secret.SecretTrouble;
import dev.runyard.functions.Twins;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Deliveries, genuine, forged, repeated and hostile.
final class HookReceiverTest {
  private static final String KEY = "key-of-the-github-hook";
  private static final String GITHUB =
      text(
          "{'name':'issues','sender':'github','secret':'GITHUB',"
              + "'when':[{'header':'X-GitHub-Event','equals':'issues'},{'pointer':'/action','equals':'labeled'}],"
              + "'run':{'agent':'echo','prompt':'Fix {{/issue/title}}'}}");
  private static final String STANDARD =
      text(
          "{'name':'s','sender':'standard_webhooks','secret':'STANDARD',"
              + "'run':{'agent':'echo','prompt':'{{/p}}'}}");
  private static final String LABELED = text("{'action':'labeled','issue':{'title':'it breaks'}}");

  private final Twins twins = new Twins();
  private final Client client = new Client(twins);

  HookReceiverTest() {
    twins.hookSecrets.put("GITHUB", new Fetched.Value(KEY));
    twins.hookSecrets.put("STANDARD", new Fetched.Value("whsec_" + Signed.STANDARD_KEY));
    twins.hookSecrets.put("SLACK", new Fetched.Value("key-of-the-slack-app"));
  }

  @Test
  void startsARunOfTheHooksTenant() {
    String path = made(GITHUB);

    APIGatewayProxyResponseEvent answer = deliver(path, "d-1", LABELED);

    assertEquals(202, answer.getStatusCode(), answer.getBody());
    assertEquals("started", json(answer).path("outcome").asText());
    RunKey run = new RunKey(Identity.TENANT_DEFAULT, json(answer).path("run_id").asText());
    RunState.Existing state = (RunState.Existing) twins.runs().load(run);
    assertEquals("Fix it breaks", state.facts().request().prompt());
    assertEquals(List.of(run), twins.queue.runs());
    JsonNode kept = deliveries(path).path(0);
    assertEquals("started", kept.path("outcome").asText());
    assertEquals("d-1", kept.path("delivery_id").asText());
    assertEquals("issues", kept.path("event").asText());
    assertEquals(run.runId(), kept.path("run_id").asText());
    assertEquals(LABELED.length(), kept.path("body_bytes").asInt());
    assertFalse(kept.toString().contains("breaks"), "no body is kept");
  }

  @Test
  void answersARepeatWithTheSameRun() {
    String path = made(GITHUB);
    String first = json(deliver(path, "d-1", LABELED)).path("run_id").asText();
    twins.clock.advance(Duration.ofHours(23));

    JsonNode again = json(deliver(path, "d-1", LABELED));
    assertEquals("repeated", again.path("outcome").asText());
    assertEquals(first, again.path("run_id").asText());
    JsonNode renamed = json(deliver(path, "d-2", LABELED));
    assertEquals(first, renamed.path("run_id").asText(), "the id is not signed, the body is");
    JsonNode edited = json(deliver(path, "d-1", LABELED.replace("breaks", "fails")));
    assertEquals(first, edited.path("run_id").asText(), "the id decides too");
    assertEquals(1, twins.events.streams().size());
    JsonNode other = json(deliver(path, "d-3", LABELED.replace("breaks", "hangs")));
    assertEquals("started", other.path("outcome").asText());
  }

  @Test
  void keepsTheDeliveriesOfTwoHooksApart() {
    String one = json(deliver(made(GITHUB), "d-1", LABELED)).path("run_id").asText();
    String other = json(deliver(made(GITHUB), "d-1", LABELED)).path("run_id").asText();

    assertFalse(one.equals(other));
  }

  @Test
  void startsOneRunForTwoHundredAtOnce() throws Exception {
    String path = made(GITHUB);
    List<Callable<APIGatewayProxyResponseEvent>> calls = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      calls.add(() -> deliver(path, "d-1", LABELED));
    }
    Set<String> runs = new HashSet<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(32)) {
      for (Future<APIGatewayProxyResponseEvent> answer : threads.invokeAll(calls)) {
        assertEquals(202, answer.get().getStatusCode());
        runs.add(json(answer.get()).path("run_id").asText());
      }
    }
    assertEquals(1, runs.size());
    assertEquals(1, twins.events.streams().size());
    assertEquals(1, twins.queue.runs().stream().distinct().count());
  }

  @Test
  void tellsNoOneWhetherThereIsSuchAHook() {
    String path = made(GITHUB);
    String unknown = "/v1/hooks/default." + "A".repeat(32);

    APIGatewayProxyResponseEvent forged =
        client.call(post(path, LABELED).withHeaders(Map.of("X-Hub-Signature-256", "sha256=00")));
    APIGatewayProxyResponseEvent never =
        client.call(post(unknown, LABELED).withHeaders(Map.of("X-Hub-Signature-256", "sha256=00")));

    assertEquals(404, forged.getStatusCode());
    assertEquals(never.getStatusCode(), forged.getStatusCode());
    assertEquals(never.getBody(), forged.getBody());
    Map<String, String> headers = new HashMap<>(forged.getHeaders());
    headers.remove("X-Request-Id");
    Map<String, String> others = new HashMap<>(never.getHeaders());
    others.remove("X-Request-Id");
    assertEquals(others, headers);
    assertEquals("hook_not_found", json(forged).path("code").asText());
    for (String odd : List.of("x", "..", "default.", "default." + "A".repeat(65), "é")) {
      assertEquals(never.getBody(), client.call(post("/v1/hooks/" + odd, LABELED)).getBody(), odd);
    }
    assertEquals("unproven", deliveries(path).at("/0/outcome").asText());
    assertEquals(0, twins.events.streams().size());
  }

  @Test
  void keepsFewDeliveriesThatProveNothing() {
    String path = made(GITHUB);
    deliver(path, "d-1", LABELED);
    for (int i = 0; i < 500; i++) {
      client.call(post(path, "{}").withHeaders(Map.of("X-Hub-Signature-256", "sha256=00")));
      twins.clock.advance(Duration.ofMillis(500));
    }

    JsonNode kept = deliveries(path);
    assertTrue(kept.size() <= HookLimits.UNPROVEN_KEPT + 1, kept::toString);
    assertTrue(kept.toString().contains("d-1"), "what is genuine stays");
  }

  @Test
  void takesASignatureOnlyForTheBytesThatWereSigned() {
    String path = made(GITHUB);
    String spaced = LABELED.replace(":", ": ");

    assertEquals(404, deliver(path, "d-1", spaced, Signed.signature(KEY, LABELED)).getStatusCode());
    assertEquals(
        404, deliver(path, "d-1", LABELED + "\n", Signed.signature(KEY, LABELED)).getStatusCode());
    String escaped = LABELED.replace("breaks", "\\u0062reaks");
    assertEquals(
        404, deliver(path, "d-1", escaped, Signed.signature(KEY, LABELED)).getStatusCode());
    assertEquals(
        202, deliver(path, "d-1", escaped, Signed.signature(KEY, escaped)).getStatusCode());
  }

  @Test
  void readsBytesThatArriveEncoded() {
    String path = made(GITHUB);
    byte[] body = LABELED.getBytes(StandardCharsets.UTF_8);
    APIGatewayProxyResponseEvent answer =
        client.call(
            request("POST", path)
                .withHeaders(Signed.headers("d-1", Signed.signature(KEY, LABELED)))
                .withBody(Base64.getEncoder().encodeToString(body))
                .withIsBase64Encoded(true));

    assertEquals("started", json(answer).path("outcome").asText(), answer.getBody());
  }

  @Test
  void refusesSignedBytesThatAreNoText() {
    String path = made(GITHUB);
    byte[] body = LABELED.replace("it", "\u00e9").getBytes(StandardCharsets.ISO_8859_1);
    APIGatewayProxyResponseEvent answer =
        client.call(
            request("POST", path)
                .withHeaders(Signed.headers("d-1", Signed.signature(KEY, body)))
                .withBody(Base64.getEncoder().encodeToString(body))
                .withIsBase64Encoded(true));

    assertEquals(202, answer.getStatusCode());
    assertEquals("malformed_json", json(answer).path("code").asText(), answer.getBody());
  }

  @Test
  void ignoresWhatTheHookDoesNotWant() {
    String path = made(GITHUB);

    JsonNode other = json(deliver(path, "d-1", LABELED.replace("labeled", "closed")));
    assertEquals("ignored", other.path("outcome").asText());
    assertEquals("filter on /action: has another value", other.path("reason").asText());
    client.call(
        request("PATCH", path)
            .withHeaders(Map.of("Content-Type", "application/json"))
            .withBody("{\"enabled\":false}"));
    assertEquals("ignored", json(deliver(path, "d-2", LABELED)).path("outcome").asText());
    assertEquals(0, twins.events.streams().size());
    assertEquals(2, deliveries(path).size());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "[]",
        "{} {}",
        "{'a':1,'a':2}",
        "{'a':'\\u0000'}",
        "{'a':'\\ud800'}",
        "",
        "{'action':'labeled'}",
        "{'action':'labeled','issue':7}",
        "{'action':'labeled','issue':{'title':''}}x"
      })
  void tellsWhyAGenuineDeliveryStartsNothing(String body) {
    String path = made(GITHUB);
    APIGatewayProxyResponseEvent answer = deliver(path, "d-1", text(body));

    assertEquals(202, answer.getStatusCode(), answer.getBody());
    assertEquals("refused", json(answer).path("outcome").asText(), answer.getBody());
    JsonNode kept = deliveries(path).path(0);
    assertTrue(kept.path("code").isTextual(), kept::toString);
    assertEquals(0, twins.events.streams().size());
  }

  @Test
  void survivesDepthAndSize() {
    String path = made(GITHUB);

    assertEquals(
        "refused",
        json(deliver(path, "d-1", "{\"a\":" + "[".repeat(500_000))).path("outcome").asText());
    String large =
        text("{'action':'labeled','issue':{'title':'%s'}}".formatted("x".repeat(1_000_000)));
    assertEquals("started", json(deliver(path, "d-2", large)).path("outcome").asText());
    APIGatewayProxyResponseEvent tooLarge =
        deliver(path, "d-3", "x".repeat(HookLimits.DELIVERY_BYTES_MAX + 1));
    assertEquals(413, tooLarge.getStatusCode());
    assertEquals("body_too_large", json(tooLarge).path("code").asText());
  }

  @Test
  void asksForARepeatWhileTheSecretCannotBeRead() {
    String path = made(GITHUB);
    twins.hookSecrets.put("GITHUB", new Fetched.Unavailable(SecretTrouble.UNREACHABLE));

    APIGatewayProxyResponseEvent answer = deliver(path, "d-1", LABELED);
    assertEquals(503, answer.getStatusCode());
    assertTrue(answer.getHeaders().containsKey("Retry-After"));
    assertEquals("unavailable", deliveries(path).at("/0/outcome").asText());
    assertEquals(0, twins.events.streams().size());
    twins.hookSecrets.put("GITHUB", new Fetched.Value(KEY));
    twins.clock.advance(Duration.ofSeconds(HookLimits.SECRET_RETRY_SECONDS));
    assertEquals("started", json(deliver(path, "d-1", LABELED)).path("outcome").asText());
  }

  @Test
  void takesAnOldSecretNoLongerThanItIsKept() {
    String path = made(GITHUB);
    deliver(path, "d-1", LABELED);
    twins.hookSecrets.put("GITHUB", new Fetched.Value("another-key-of-the-hook"));
    String later = LABELED.replace("breaks", "stalls");

    twins.clock.advance(Duration.ofSeconds(HookLimits.SECRET_SECONDS));
    assertEquals(404, deliver(path, "d-2", later).getStatusCode());
    assertEquals(
        202,
        deliver(path, "d-2", later, Signed.signature("another-key-of-the-hook", later))
            .getStatusCode());
  }

  @Test
  void asksForARepeatWhileTheStoreDoesNotAnswerAndStartsOneRun() {
    String path = made(GITHUB);
    twins.log.begin(new PortUnavailable("down"));
    assertEquals(503, deliver(path, "d-1", LABELED).getStatusCode());
    twins.log.end();

    JsonNode again = json(deliver(path, "d-1", LABELED));
    assertEquals("started", again.path("outcome").asText());
    assertEquals(1, twins.events.streams().size());
  }

  @Test
  void takesASignedTimeOnlyWithinItsWindow() {
    String path = made(STANDARD);
    String body = "{\"p\":\"hi\"}";

    Map<String, String> signed =
        Signed.standard("m-1", twins.clock.instant().getEpochSecond(), body);
    String run = json(client.call(post(path, body).withHeaders(signed))).path("run_id").asText();
    twins.clock.advance(Duration.ofMinutes(5));
    JsonNode replayed = json(client.call(post(path, body).withHeaders(signed)));
    assertEquals("repeated", replayed.path("outcome").asText(), "within the window: the same run");
    assertEquals(run, replayed.path("run_id").asText());
    twins.clock.advance(Duration.ofMillis(1));
    assertEquals(404, client.call(post(path, body).withHeaders(signed)).getStatusCode());
    Map<String, String> future =
        Signed.standard("m-2", twins.clock.instant().getEpochSecond() + 302, body);
    assertEquals(404, client.call(post(path, body).withHeaders(future)).getStatusCode());
    assertEquals(1, twins.events.streams().size());
  }

  @Test
  void answersSlacksChallengeOnlyToSlack() {
    String path =
        made(
            text(
                "{'name':'s','sender':'slack','secret':'SLACK','run':{'agent':'echo','prompt':'{{/text}}'}}"));
    String body = text("{'type':'url_verification','challenge':'c-1','token':'old'}");
    String time = String.valueOf(twins.clock.instant().getEpochSecond());
    String code = Signed.signature("key-of-the-slack-app", "v0:" + time + ":" + body);
    Map<String, String> headers =
        Map.of(
            "X-Slack-Request-Timestamp", time, "X-Slack-Signature", code.replace("sha256", "v0"));

    APIGatewayProxyResponseEvent answer = client.call(post(path, body).withHeaders(headers));
    assertEquals(200, answer.getStatusCode());
    assertEquals("{\"challenge\":\"c-1\"}", answer.getBody());
    assertEquals("confirmed", deliveries(path).at("/0/outcome").asText());
    assertEquals(404, client.call(post(path, body)).getStatusCode());
    String command = "command=%2Ffix&text=the+build&trigger_id=1";
    Map<String, String> signed = new HashMap<>();
    signed.put("Content-Type", "application/x-www-form-urlencoded");
    signed.put("X-Slack-Request-Timestamp", time);
    signed.put(
        "X-Slack-Signature",
        Signed.signature("key-of-the-slack-app", "v0:" + time + ":" + command)
            .replace("sha256", "v0"));
    assertEquals(
        "started",
        json(client.call(request("POST", path).withHeaders(signed).withBody(command)))
            .path("outcome")
            .asText());
  }

  private JsonNode deliveries(String path) {
    return json(client.get(path + "/deliveries")).path("deliveries");
  }

  private String made(String hook) {
    APIGatewayProxyResponseEvent made = client.call(post("/v1/hooks", hook));
    assertEquals(201, made.getStatusCode(), made.getBody());
    return "/v1/hooks/" + json(made).path("hook_id").asText();
  }

  private APIGatewayProxyResponseEvent deliver(String path, String id, String body) {
    return deliver(path, id, body, Signed.signature(KEY, body));
  }

  private APIGatewayProxyResponseEvent deliver(
      String path, String id, String body, String signature) {
    return client.call(
        request("POST", path).withHeaders(Signed.headers(id, signature)).withBody(body));
  }

  private static String text(String json) {
    return json.replace('\'', '"');
  }
}
