package dev.runyard.functions.stream;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.sun.net.httpserver.HttpServer;
import dev.runyard.core.access.Authentication;
import dev.runyard.functions.Described;
import dev.runyard.functions.Twins;
import dev.runyard.functions.api.Client;
import dev.runyard.testkit.openapi.CheckedClient;
import dev.runyard.testkit.openapi.DescribedOperation;
import dev.runyard.testkit.openapi.Exchange;
import dev.runyard.testkit.threads.TestPatience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Both functions on the same twins, asked as one API. Whoever waits goes on at once, with the
/// clock a minute ahead. Each exchange is compared with the description.
public final class BothFunctions implements AutoCloseable {
  private static final Duration STEP = Duration.ofMinutes(1);

  private final Client api;
  private final HttpServer server;
  private final Set<String> streamed;
  private final HttpClient client = new CheckedClient(HttpClient.newHttpClient(), Described.API);

  public BothFunctions(Twins twins, Client api) {
    this(twins, api, twins.caller());
  }

  /// @param callers who calls the function that streams
  public BothFunctions(Twins twins, Client api, Authentication callers) {
    this.api = api;
    RunFeeds feeds =
        new RunFeeds(
            twins.log,
            twins.clock,
            (_, _, _) -> twins.clock.advance(STEP),
            STEP,
            StreamRig.audience(twins),
            (_, _) -> {});
    Server stream = StreamRig.server(twins, feeds, callers);
    streamed =
        stream.routes().stream()
            .map(route -> route.replace("+}", "}"))
            .collect(Collectors.toUnmodifiableSet());
    try {
      server = stream.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A request of no more than its method and address.
  public Exchange ask(String method, String target) throws IOException, InterruptedException {
    return ask(method, target, Map.of(), Optional.empty());
  }

  /// A request with a JSON body.
  public Exchange post(String target, String body) throws IOException, InterruptedException {
    return ask(
        "POST",
        target,
        Map.of("Content-Type", "application/json"),
        Optional.of(body.getBytes(StandardCharsets.UTF_8)));
  }

  /// Sends a request to the function that the gateway would call.
  public Exchange ask(
      String method, String target, Map<String, String> headers, Optional<byte[]> body)
      throws IOException, InterruptedException {
    boolean isStream =
        Described.API
            .find(method, target.split("\\?", 2)[0])
            .map(DescribedOperation::name)
            .filter(streamed::contains)
            .isPresent();
    return isStream ? stream(method, target, headers, body) : api(method, target, headers, body);
  }

  private Exchange stream(
      String method, String target, Map<String, String> headers, Optional<byte[]> body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + target))
            .timeout(TestPatience.LONG)
            .method(
                method, body.map(BodyPublishers::ofByteArray).orElseGet(BodyPublishers::noBody));
    headers.forEach(request::header);
    HttpResponse<byte[]> answer = sent(request.build());
    return new Exchange(
        method,
        target,
        body,
        answer.statusCode(),
        answer.headers().map().entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, named -> named.getValue().getFirst())),
        Optional.of(answer.body()));
  }

  /// The server closes the connection of a large body that it has not read to its end. A request
  /// that meets this is sent again, once.
  private HttpResponse<byte[]> sent(HttpRequest request) throws IOException, InterruptedException {
    try {
      return client.send(request, BodyHandlers.ofByteArray());
    } catch (IOException e) {
      if (!String.valueOf(e.getMessage()).contains("received no bytes")) {
        throw e;
      }
      return client.send(request, BodyHandlers.ofByteArray());
    }
  }

  private Exchange api(
      String method, String target, Map<String, String> headers, Optional<byte[]> body) {
    String[] parts = target.split("\\?", 2);
    Map<String, List<String>> query = new LinkedHashMap<>();
    if (parts.length == 2) {
      for (String pair : parts[1].split("&", -1)) {
        String[] named = pair.split("=", 2);
        query
            .computeIfAbsent(decoded(named[0]), _ -> new ArrayList<>())
            .add(named.length == 2 ? decoded(named[1]) : "");
      }
    }
    APIGatewayProxyRequestEvent request =
        new APIGatewayProxyRequestEvent()
            .withHttpMethod(method)
            .withPath(parts[0])
            .withHeaders(headers)
            .withMultiValueQueryStringParameters(query);
    if (body.isPresent()) {
      request.withBody(Base64.getEncoder().encodeToString(body.get())).withIsBase64Encoded(true);
    }
    APIGatewayProxyResponseEvent answer = api.call(request);
    return Described.exchange(request, answer);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    server.stop(0);
    client.shutdownNow();
  }
}
