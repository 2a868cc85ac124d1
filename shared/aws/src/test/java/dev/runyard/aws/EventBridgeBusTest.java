package dev.runyard.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.runyard.core.webhook.EventBus;
import dev.runyard.core.webhook.WebhookSender.Answer;
import dev.runyard.core.webhook.WebhookSender.Trouble;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What EventBridge is sent, and what is made of its answers.
final class EventBridgeBusTest {
  private static final String SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
  private static final Pattern SIGNED =
      Pattern.compile(
          "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/(\\d{8})/eu-west-1/events/aws4_request,"
              + " SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})");
  private static final EventBus.Published EVENT =
      new EventBus.Published(
          "run.completed",
          Instant.parse("2026-03-01T12:00:00.250Z"),
          "{\"id\":\"msg_1\",\"tenant\":\"acme\",\"data\":{\"run_id\":\"ü\"}}");

  private final HttpServer server;
  private final List<Request> requests = new ArrayList<>();
  private final EventBus bus;
  private int status = 200;
  private String answer = "{\"FailedEntryCount\":0,\"Entries\":[{\"EventId\":\"e\"}]}";

  private record Request(Headers headers, String body) {}

  EventBridgeBusTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
    bus =
        new AwsClients(
                Emulators.settings(
                    Map.of(
                        Settings.REGION,
                        "eu-west-1",
                        Settings.ENDPOINT_URL_EVENTBRIDGE,
                        "http://127.0.0.1:" + server.getAddress().getPort(),
                        Settings.ACCESS_KEY_ID,
                        "AKIDEXAMPLE",
                        Settings.SECRET_ACCESS_KEY,
                        SECRET)))
            .eventBus("runs");
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      requests.add(
          new Request(
              exchange.getRequestHeaders(),
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
      byte[] body = answer.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void putsOneEventOnTheBus() throws IOException {
    assertEquals(new Answer.Status(200, Optional.empty()), bus.publish(EVENT));

    Request request = requests.getFirst();
    assertEquals("AWSEvents.PutEvents", request.headers().getFirst("X-Amz-Target"));
    assertEquals("application/x-amz-json-1.1", request.headers().getFirst("Content-Type"));
    JsonNode entries = new ObjectMapper().readTree(request.body()).path("Entries");
    assertEquals(1, entries.size());
    assertEquals("runyard", entries.at("/0/Source").asText());
    assertEquals("run.completed", entries.at("/0/DetailType").asText());
    assertEquals(EVENT.detail(), entries.at("/0/Detail").asText());
    assertEquals("runs", entries.at("/0/EventBusName").asText());
    assertEquals(EVENT.at().getEpochSecond(), entries.at("/0/Time").asLong());
  }

  /// Computed here anew by the published steps of Signature Version 4.
  @Test
  void signsWhatItSends() throws GeneralSecurityException {
    bus.publish(EVENT);

    Request request = requests.getFirst();
    MatchResult signed =
        SIGNED
            .matcher(String.valueOf(request.headers().getFirst("Authorization")))
            .results()
            .findFirst()
            .orElseThrow();
    List<String> names = List.of(signed.group(2).split(";", -1));
    assertTrue(names.containsAll(List.of("host", "x-amz-date", "x-amz-target")), names::toString);
    StringBuilder canonical = new StringBuilder("POST\n/\n\n");
    names.forEach(
        name ->
            canonical
                .append(name)
                .append(':')
                .append(request.headers().getFirst(name))
                .append('\n'));
    canonical.append('\n').append(signed.group(2)).append('\n').append(hash(request.body()));
    String scope = signed.group(1) + "/eu-west-1/events/aws4_request";
    String text =
        "AWS4-HMAC-SHA256\n%s\n%s\n%s"
            .formatted(
                Objects.requireNonNull(request.headers().getFirst("X-Amz-Date")),
                scope,
                hash(canonical.toString()));
    byte[] key = ("AWS4" + SECRET).getBytes(StandardCharsets.UTF_8);
    for (String part : scope.split("/", -1)) {
      key = mac(key, part);
    }
    assertEquals(signed.group(3), HexFormat.of().formatHex(mac(key, text)));
  }

  @Test
  void isNotContentWithAnAnswerThatKeptNothing() {
    answer =
        "{\"FailedEntryCount\":1,\"Entries\":[{\"ErrorCode\":\"InternalFailure\",\"ErrorMessage\":\"x\"}]}";
    assertEquals(new Answer.None(Trouble.NOT_KEPT), bus.publish(EVENT));
    answer = "{}";
    assertEquals(new Answer.None(Trouble.NOT_KEPT), bus.publish(EVENT));
  }

  @Test
  void tellsOfARefusal() {
    status = 400;
    answer = "{\"__type\":\"AccessDeniedException\"}";

    assertEquals(new Answer.Status(400, Optional.empty()), bus.publish(EVENT));
    assertEquals(1, requests.size());
  }

  @Test
  void tellsThatNobodyAnswers() {
    server.stop(0);

    assertEquals(new Answer.None(Trouble.NOT_CONNECTED), bus.publish(EVENT));
  }

  private static String hash(String text) throws GeneralSecurityException {
    return HexFormat.of()
        .formatHex(
            MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static byte[] mac(byte[] key, String text) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
  }
}
