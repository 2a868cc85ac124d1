package dev.runyard.runner.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.ModelApi;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.testkit.threads.TestPatience;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Providers of `https` are spoken to over HTTP/2, while agents speak HTTP/1.1.
final class SecureProviderTest {
  private static final String BODY = "{\"model\":\"m-1\",\"stream\":true}";

  private static final String FLOOD = BODY.replace("m-1", "flood");

  /// They fill the window of their connection, 64 MiB, if not one alone holds it up.
  private static final int SILENT = 8;

  private static final long READ_BYTES = 32L * 1024 * 1024;
  private static final int PATIENCE_MILLIS = Math.toIntExact(TestPatience.LONG.toMillis());

  @TempDir private Path folder = Path.of("");

  private SecureProvider provider;
  private ModelGateway gateway;
  private AttemptEndpoint endpoint;

  @BeforeEach
  void open() throws Exception {
    provider = new SecureProvider(folder);
    gateway =
        new ModelGateway(
            InstantSource.system(), new RandomIds(new SecureRandom()), provider.trust());
    endpoint = gateway.open(GatewayRig.grant(ModelApi.MESSAGES, provider.origin()));
  }

  @AfterEach
  void close() throws Exception {
    endpoint.close();
    provider.close();
  }

  @Test
  void answersOverTwoVersionsWithoutWaitingForTheRest() throws Exception {
    try (Socket agent = called(endpoint, BODY);
        BufferedReader answer = read(agent)) {
      JsonNode seen = provider.saw();
      assertEquals("2.0", seen.path("version").asText());
      assertEquals(GatewayRig.KEY, seen.path("key").asText());
      assertEquals("/v1/messages", seen.path("path").asText());
      assertEquals(BODY, seen.path("body").asText());
      assertEquals("HTTP/1.1 200", line(answer).substring(0, 12));
      await(answer, "data: one");

      provider.goOn();

      await(answer, "data: two");
    }
  }

  @Test
  void isNotKeptAtWorkForAnAgentThatWentAway() throws Exception {
    try (Socket agent = called(endpoint, BODY);
        BufferedReader answer = read(agent)) {
      assertEquals("2.0", provider.saw().path("version").asText());
      await(answer, "data: one");
    }

    assertTrue(provider.saw().path("aborted").booleanValue());
  }

  @Test
  void answersAnAttemptWhateverAnotherDoesNotRead() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try (AttemptEndpoint other =
        gateway.open(GatewayRig.grant(ModelApi.MESSAGES, provider.origin()))) {
      for (int i = 0; i < SILENT; i++) {
        silent.add(called(other, FLOOD));
      }
      assertTrue(silent.getFirst().getInputStream().read() >= 0);
      try (Socket agent = called(endpoint, FLOOD)) {
        agent.getInputStream().skipNBytes(READ_BYTES);
      }
    } finally {
      for (Socket agent : silent) {
        agent.close();
      }
    }
  }

  private static Socket called(AttemptEndpoint endpoint, String body) throws Exception {
    Socket agent = GatewayRig.connect(endpoint);
    agent.setSoTimeout(PATIENCE_MILLIS);
    String head =
        "POST %s/v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                .formatted(GatewayRig.path(endpoint))
            + "Content-Length: %d\r\n\r\n".formatted(body.length());
    agent.getOutputStream().write((head + body).getBytes(StandardCharsets.UTF_8));
    agent.getOutputStream().flush();
    return agent;
  }

  private static BufferedReader read(Socket agent) throws Exception {
    return new BufferedReader(
        new InputStreamReader(agent.getInputStream(), StandardCharsets.UTF_8));
  }

  private static void await(BufferedReader answer, String wanted) throws Exception {
    String line = line(answer);
    while (!line.equals(wanted)) {
      line = line(answer);
    }
  }

  private static String line(BufferedReader answer) throws Exception {
    return Objects.requireNonNull(answer.readLine(), "it has ended");
  }
}
