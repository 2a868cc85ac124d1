package dev.runyard.runner.gateway;

import dev.runyard.core.agent.ModelApi;
import dev.runyard.core.agent.ModelRoute;
import dev.runyard.core.agent.Prices;
import dev.runyard.core.event.ModelCall;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.usage.Usage;
import dev.runyard.runner.backend.Signals;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// A gateway in real time, and an agent that calls it.
final class GatewayRig {
  static final String KEY = "sk-operator-0001";

  final ModelGateway gateway =
      new ModelGateway(InstantSource.system(), new RandomIds(new SecureRandom()));
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  static ModelGrant grant(ModelApi api, String endpoint) {
    return grant(api, endpoint, RunBounds.NONE);
  }

  static ModelGrant grant(ModelApi api, String endpoint, RunBounds bounds) {
    return new ModelGrant(
        new ModelRoute(api, endpoint), Optional.of(KEY), Set.of(), Prices.NONE, bounds, Usage.NONE);
  }

  /// Posts as an agent does.
  HttpResponse<byte[]> post(AttemptEndpoint endpoint, String path, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(endpoint.address() + path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  /// Sends bytes as they are, and returns all that comes back until the connection is closed.
  static String raw(AttemptEndpoint endpoint, String request) throws IOException {
    try (Socket socket = connect(endpoint)) {
      OutputStream out = socket.getOutputStream();
      out.write(request.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  static Socket connect(AttemptEndpoint endpoint) throws IOException {
    URI address = URI.create(endpoint.address());
    return new Socket(address.getHost(), address.getPort());
  }

  /// The path of an endpoint, which begins with its token.
  static String path(AttemptEndpoint endpoint) {
    return URI.create(endpoint.address()).getPath();
  }

  /// The next event of a type that the endpoint reports; others are skipped.
  static <T extends RunEvent> T until(AttemptEndpoint endpoint, Class<T> type) {
    List<RunEvent> told = new ArrayList<>();
    Signals.until(
        () -> {
          told.addAll(endpoint.take(1));
          return !told.isEmpty() && type.isInstance(told.getLast());
        });
    return type.cast(told.getLast());
  }

  /// What is said of the call itself.
  static ModelCall call(RunEvent.CostRecorded cost) {
    return Objects.requireNonNull(cost.call());
  }
}
