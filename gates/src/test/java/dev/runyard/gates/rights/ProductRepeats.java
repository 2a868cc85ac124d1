package dev.runyard.gates.rights;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.sun.net.httpserver.HttpServer;
import dev.runyard.aws.AwsClients;
import dev.runyard.aws.DynamoTenantUses;
import dev.runyard.aws.Settings;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.quota.TenantUses;
import dev.runyard.functions.api.Handler;
import dev.runyard.functions.stream.Server;
import dev.runyard.local.http.LoopbackServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Clients that repeat a request to interrupt. Its run was held the first time, for want of a
/// place, and has one the second time: it is then the function itself that takes it from those that
/// are held.
final class ProductRepeats {
  private static final String TENANT = "default";

  /// Runs that have the two places of the rig's tenant.
  private static final List<RunKey> OTHERS =
      List.of(
          new RunKey(TENANT, "00000000-0000-7000-8000-000000000011"),
          new RunKey(TENANT, "00000000-0000-7000-8000-000000000012"));

  /// More than any run of the rig has by then.
  private static final int PLACES_MAX = 100;

  private ProductRepeats() {}

  private interface Submit {
    void once() throws Exception;
  }

  static void use(ProductRig rig, Handler api) throws Exception {
    heldThenSent(rig, () -> api.handleRequest(interrupting(), null));
    HttpServer server = LoopbackServer.bind(0);
    server.createContext("/", new Server(rig.function("StreamFunction")));
    server.start();
    URI runs = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/runs");
    String body =
        "{\"agent_name\":\"echo\",\"mode\":\"async\",\"config\":{\"busy\":\"interrupt\"},\"input\":[{\"role\":\"user\",\"parts\":[{\"content_type\":\"text/plain\",\"content\":\"hi\"}]}]}";
    try (HttpClient client = HttpClient.newHttpClient()) {
      heldThenSent(
          rig,
          () ->
              client.send(
                  ProductUses.streamed(runs, body).header("Idempotency-Key", "interrupts").build(),
                  BodyHandlers.discarding()));
    } finally {
      server.stop(0);
    }
  }

  private static APIGatewayProxyRequestEvent interrupting() {
    return ProductRig.post(
            "/v1/runs", "{\"agent\":\"echo\",\"prompt\":\"hi\",\"busy\":\"interrupt\"}")
        .withHeaders(Map.of("Content-Type", "application/json", "Idempotency-Key", "interrupting"));
  }

  private static void heldThenSent(ProductRig rig, Submit submit) throws Exception {
    Settings settings = new Settings(rig.function("ApiFunction"));
    TenantUses uses =
        new DynamoTenantUses(
            new AwsClients(settings).dynamo(),
            settings.viewsTable(),
            settings.retention(),
            InstantSource.system());
    OTHERS.forEach(run -> uses.place(run, PLACES_MAX));
    submit.once();
    for (String placed : uses.read(TENANT).placed()) {
      uses.free(new RunKey(TENANT, placed), Optional.empty());
    }
    submit.once();
  }
}
