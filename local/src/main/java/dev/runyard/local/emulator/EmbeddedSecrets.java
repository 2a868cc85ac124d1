package dev.runyard.local.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.runyard.core.secret.NamedSecrets;
import dev.runyard.local.http.LoopbackServer;
import dev.runyard.local.rights.AccessCheck;
import dev.runyard.local.rights.Asked;
import dev.runyard.local.template.PseudoParameters;
import dev.runyard.local.threads.StackThreads;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/// The parts of the APIs of Secrets Manager and SSM that read one secret, on a free loopback port.
/// ARNs have no random characters here.
public final class EmbeddedSecrets implements AutoCloseable {
  private static final Logger LOG = System.getLogger(EmbeddedSecrets.class.getName());
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CONTENT_TYPE = "application/x-amz-json-1.1";
  private static final String SECRET = "secretsmanager.GetSecretValue";
  private static final String PARAMETER = "AmazonSSM.GetParameter";
  private static final int BODY_BYTES_MAX = 1 << 16;

  private final NamedSecrets vault;
  private final AccessCheck access;
  private final HttpServer server;
  private final ExecutorService threads = StackThreads.pool("secrets");

  /// Starts listening.
  ///
  /// @param byName as in [NamedSecrets]
  public EmbeddedSecrets(Map<String, String> byName, AccessCheck access) {
    this.vault = new NamedSecrets(byName);
    this.access = access;
    this.server = LoopbackServer.start(threads, this::answer);
  }

  /// The address for runners.
  public URI endpoint() {
    return LoopbackServer.address(server);
  }

  /// The ARN of a secret.
  ///
  /// @param id its name, or an ARN of it
  public static String secretArn(String id) {
    return arn("secretsmanager", "secret:" + NamedSecrets.nameOf(id));
  }

  /// The ARN of a parameter.
  public static String parameterArn(String name) {
    return arn("ssm", "parameter" + name);
  }

  private static String arn(String service, String resource) {
    return "arn:aws:%s:%s:%s:%s"
        .formatted(service, PseudoParameters.REGION, PseudoParameters.ACCOUNT, resource);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      EcsCalls.Reply reply = reply(exchange);
      byte[] body = JSON.writeValueAsBytes(reply.body());
      exchange.getResponseHeaders().set("Content-Type", CONTENT_TYPE);
      exchange.sendResponseHeaders(reply.status(), body.length);
      exchange.getResponseBody().write(body);
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "a call for a secret failed", e);
    }
  }

  private EcsCalls.Reply reply(HttpExchange exchange) throws IOException {
    String target = String.valueOf(exchange.getRequestHeaders().getFirst("X-Amz-Target"));
    JsonNode body = JSON.readTree(exchange.getRequestBody().readNBytes(BODY_BYTES_MAX));
    String signed = exchange.getRequestHeaders().getFirst("Authorization");
    return switch (target) {
      case SECRET -> {
        String id = body.path("SecretId").asText();
        Asked asked = Asked.of("secretsmanager:GetSecretValue", secretArn(id));
        yield access
            .refusal(signed, List.of(asked))
            .map(EmbeddedSecrets::denied)
            .orElseGet(() -> secret(id));
      }
      case PARAMETER -> {
        String name = body.path("Name").asText();
        Asked asked = Asked.of("ssm:GetParameter", parameterArn(name));
        yield access
            .refusal(signed, List.of(asked))
            .map(EmbeddedSecrets::denied)
            .orElseGet(() -> parameter(name));
      }
      case String _ -> EcsCalls.Reply.refused("UnknownOperationException", "not offered locally");
    };
  }

  private static EcsCalls.Reply denied(String why) {
    return EcsCalls.Reply.refused("AccessDeniedException", why);
  }

  private EcsCalls.Reply secret(String id) {
    Optional<String> text = vault.findSecret(id);
    return text.map(
            value ->
                EcsCalls.Reply.ok(
                    JSON.createObjectNode()
                        .put("ARN", secretArn(id))
                        .put("Name", NamedSecrets.nameOf(id))
                        .put("SecretString", value)))
        .orElseGet(
            () -> EcsCalls.Reply.refused("ResourceNotFoundException", "There is no such secret."));
  }

  private EcsCalls.Reply parameter(String name) {
    Optional<String> text = vault.findParameter(name);
    return text.map(value -> EcsCalls.Reply.ok(answer(name, value)))
        .orElseGet(
            () -> EcsCalls.Reply.refused("ParameterNotFound", "There is no such parameter."));
  }

  private static ObjectNode answer(String name, String value) {
    ObjectNode answer = JSON.createObjectNode();
    answer
        .putObject("Parameter")
        .put("Name", name)
        .put("Type", "SecureString")
        .put("Value", value)
        .put("ARN", parameterArn(name));
    return answer;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
