package dev.runyard.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.runyard.core.secret.Fetched;
import dev.runyard.core.secret.SecretTrouble;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the refusals of Secrets Manager and SSM mean, and which are tried again.
final class AwsSecretVaultTest {
  private final HttpServer server;
  private final AtomicInteger asked = new AtomicInteger();
  private final AwsSecretVault vault;
  private volatile int status = 400;
  private volatile String body = "{}";

  AwsSecretVaultTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    AwsClients clients = clients(server);
    vault = new AwsSecretVault(clients::secrets, clients::parameters);
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @ParameterizedTest
  @CsvSource({
    "ResourceNotFoundException, no such secret, UNKNOWN",
    "InvalidRequestException, it is marked for deletion, UNKNOWN",
    "ParameterNotFound, none, UNKNOWN",
    "AccessDeniedException, User is not authorized to perform GetSecretValue, NO_RIGHT",
    "AccessDeniedException, Access to KMS is not allowed, KEY_UNAVAILABLE",
    "DecryptionFailure, it cannot be decrypted, KEY_UNAVAILABLE",
    "InvalidKeyId, the key is disabled, KEY_UNAVAILABLE",
    "KMSInvalidStateException, pending deletion, KEY_UNAVAILABLE",
    "UnrecognizedClientException, the token is invalid, NO_RIGHT",
  })
  void saysWhyItIsRefusedWithoutAskingAgain(String code, String message, SecretTrouble why) {
    refuse(400, code, message);

    assertEquals(new Fetched.Unavailable(why), vault.secret("a"));
    assertEquals(new Fetched.Unavailable(why), vault.parameter("/a"));
    assertEquals(2, asked.get());
  }

  @ParameterizedTest
  @CsvSource({
    "400, ThrottlingException, slow down",
    "500, InternalServiceError, broken",
    "503, ServiceUnavailable, busy",
  })
  void asksAFewTimesForWhatMayPass(int httpStatus, String code, String message) {
    refuse(httpStatus, code, message);

    assertEquals(new Fetched.Unavailable(SecretTrouble.UNREACHABLE), vault.secret("a"));
    assertTrue(asked.get() > 1 && asked.get() <= AwsClients.ATTEMPTS_MAX, asked::toString);
  }

  @Test
  void saysThatNobodyAnswers() {
    server.stop(0);

    assertEquals(new Fetched.Unavailable(SecretTrouble.UNREACHABLE), vault.secret("a"));
    assertEquals(new Fetched.Unavailable(SecretTrouble.UNREACHABLE), vault.parameter("/a"));
  }

  @Test
  void givesNoSecretThatIsNoText() {
    status = 200;
    body = "{\"Name\":\"a\",\"SecretBinary\":\"c2VjcmV0\"}";

    assertEquals(new Fetched.Unavailable(SecretTrouble.NO_TEXT), vault.secret("a"));
  }

  @Test
  void makesAClientOnlyForWhatIsAskedAndOnce() {
    AtomicInteger made = new AtomicInteger();
    AwsSecretVault lazy =
        new AwsSecretVault(
            () -> {
              made.incrementAndGet();
              throw new IllegalStateException("no client of Secrets Manager is wanted");
            },
            () -> {
              made.incrementAndGet();
              return clients(server).parameters();
            });

    assertEquals(0, made.get());
    lazy.parameter("/a");
    lazy.parameter("/b");
    assertEquals(1, made.get());
  }

  private static AwsClients clients(HttpServer server) {
    return new AwsClients(
        Emulators.settings(
            Map.of(Settings.ENDPOINT_URL, "http://127.0.0.1:" + server.getAddress().getPort())));
  }

  private void refuse(int httpStatus, String code, String message) {
    status = httpStatus;
    body = "{\"__type\":\"%s\",\"message\":\"%s\"}".formatted(code, message);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      asked.incrementAndGet();
      exchange.getRequestBody().readAllBytes();
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.1");
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }
}
