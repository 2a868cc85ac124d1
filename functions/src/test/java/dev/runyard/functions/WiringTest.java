package dev.runyard.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import dev.runyard.testkit.ports.ReservedPort;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Every function is made from its environment without calling anything.
final class WiringTest {
  private static final String QUEUE = "http://127.0.0.1:9/queue/x";
  private static final Map<String, String> COMMON =
      Map.of(
          "AWS_REGION", "eu-west-1",
          "AWS_ACCESS_KEY_ID", "local",
          "AWS_SECRET_ACCESS_KEY", "local",
          "AWS_ENDPOINT_URL", "http://127.0.0.1:9",
          "RUNYARD_EVENTS_TABLE", "events",
          "RUNYARD_VIEWS_TABLE", "views",
          "RUNYARD_RETENTION_DAYS", "90");
  private static final Map<String, String> API =
      Map.of(
          "RUNYARD_AGENTS",
          "{\"agents\":{}}",
          "RUNYARD_RUN_QUEUE_URL",
          QUEUE,
          "RUNYARD_ARTIFACTS_BUCKET",
          "artifacts");
  private static final Map<String, String> START =
      Map.ofEntries(
          Map.entry("RUNYARD_RUN_QUEUE_URL", QUEUE),
          Map.entry("RUNYARD_DEAD_LETTER_QUEUE_URL", QUEUE),
          Map.entry("RUNYARD_STREAM_FAILURE_QUEUE_URL", QUEUE),
          Map.entry("RUNYARD_CLUSTER", "cluster"),
          Map.entry("RUNYARD_TASK_DEFINITION", "runner:1"),
          Map.entry("RUNYARD_SUBNETS", "subnet-1"),
          Map.entry("RUNYARD_SECURITY_GROUPS", "sg-1"),
          Map.entry("RUNYARD_ASSIGN_PUBLIC_IP", "ENABLED"),
          Map.entry("RUNYARD_RUNNERS_MAX", "10"),
          Map.entry("RUNYARD_RUNNERS_MIN", "0"),
          Map.entry("RUNYARD_RUNS_PER_RUNNER", "4"));

  @Test
  void makesEachFunction() {
    assertNotNull(new dev.runyard.functions.api.Handler(with(API)));
    assertNotNull(new dev.runyard.functions.manage.Handler(with(API)));
    Map<String, String> stream = with(API);
    stream.put("RUNYARD_TAIL_MILLIS", "1000");
    assertNotNull(new dev.runyard.functions.stream.Server(stream));
    assertNotNull(
        new dev.runyard.functions.project.Handler(
            with(Map.of("RUNYARD_STREAM_FAILURE_QUEUE_URL", QUEUE))));
    assertNotNull(new dev.runyard.functions.advance.Handler(with(START)));
    assertNotNull(new dev.runyard.functions.sweep.Handler(with(START)));
  }

  @Test
  void answersUnavailableWhenNothingListens() {
    Map<String, String> env = with(API);
    try (ReservedPort nobody = new ReservedPort()) {
      env.put("AWS_ENDPOINT_URL", "http://127.0.0.1:" + nobody.number());
      var response =
          new dev.runyard.functions.api.Handler(env)
              .handleRequest(
                  new APIGatewayProxyRequestEvent()
                      .withHttpMethod("GET")
                      .withPath("/v1/runs/019c0000-0000-7000-8000-000000000000")
                      .withRequestContext(signed()),
                  null);

      assertEquals(503, response.getStatusCode());
    }
  }

  @Test
  void refusesABrokenAgentsDocumentAtItsStart() {
    Map<String, String> env = with(API);
    env.put("RUNYARD_AGENTS", "{\"agents\":{\"gpt\":{}}}");

    assertThrows(IllegalArgumentException.class, () -> new dev.runyard.functions.api.Handler(env));
  }

  private static APIGatewayProxyRequestEvent.ProxyRequestContext signed() {
    var identity = new APIGatewayProxyRequestEvent.RequestIdentity();
    identity.setUserArn("arn:aws:iam::111122223333:user/alice");
    var context = new APIGatewayProxyRequestEvent.ProxyRequestContext();
    context.setIdentity(identity);
    return context;
  }

  @Test
  void refusesABrokenTenantsDocumentAtItsStart() {
    Map<String, String> env = with(API);
    env.put("RUNYARD_TENANTS", "{\"principals\":[{\"arn\":\"*\"}]}");

    assertThrows(IllegalArgumentException.class, () -> new dev.runyard.functions.api.Handler(env));
  }

  @Test
  void refusesAnIssuerWithoutAnAudienceAtItsStart() {
    Map<String, String> env = with(API);
    env.put("RUNYARD_ACCESS", "BEARER");
    assertNotNull(new dev.runyard.functions.api.Handler(env));
    env.put("RUNYARD_OIDC_ISSUER", "https://login.example");

    assertThrows(IllegalStateException.class, () -> new dev.runyard.functions.api.Handler(env));
    env.put("RUNYARD_OIDC_AUDIENCE", "runyard");
    assertNotNull(new dev.runyard.functions.api.Handler(env));
  }

  private static Map<String, String> with(Map<String, String> more) {
    Map<String, String> env = new HashMap<>(COMMON);
    env.putAll(more);
    return env;
  }
}
