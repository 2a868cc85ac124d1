package dev.runyard.local.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.local.template.CorsDeclaration;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Which pages of other origins a stack on this machine lets call.
final class FrontServerPagesTest {
  private static final String LISTED = "https://app.example.com";
  private static final String OTHER = "https://app.example.com.evil.example";

  private final AccessToken token = AccessToken.drawn(new SecureRandom());
  private final HttpClient client = HttpClient.newHttpClient();
  private final FrontServer front = server(Set.of(LISTED, "http://localhost:3000"));
  private final FrontServer closed = server(Set.of());

  @AfterEach
  void stop() {
    front.close();
    closed.close();
    client.close();
  }

  @Test
  void answersWhatBrowsersAskForListedPagesWithoutAToken() throws Exception {
    HttpResponse<String> asked = ask(front, "/things", LISTED);
    assertEquals(204, asked.statusCode());
    assertEquals(LISTED, header(asked, "Access-Control-Allow-Origin"));
    assertEquals("GET,POST", header(asked, "Access-Control-Allow-Methods"));
    assertEquals("Authorization", header(asked, "Access-Control-Allow-Headers"));
    assertEquals("7200", header(asked, "Access-Control-Max-Age"));
    assertEquals("Origin", header(asked, "Vary"));
    assertEquals("", header(asked, "Access-Control-Allow-Credentials"));
    assertEquals(204, ask(front, "/places/1", "http://localhost:3000").statusCode());
  }

  @Test
  void tellsNobodyElse() throws Exception {
    for (String origin :
        new String[] {OTHER, "null", "http://app.example.com", "http://localhost"}) {
      assertEquals(403, ask(front, "/things", origin).statusCode(), origin);
      assertEquals("", header(ask(front, "/things", origin), "Access-Control-Allow-Origin"));
      assertEquals(403, call(front, "/things", origin, true).statusCode(), origin);
    }
    assertEquals(403, ask(closed, "/things", LISTED).statusCode());
    assertFalse(call(closed, "/things", LISTED, true).headers().map().containsKey("vary"));
  }

  @Test
  void aListedPageMustShowTheTokenAndMayReadWhy() throws Exception {
    HttpResponse<String> refused = call(front, "/things", LISTED, false);
    assertEquals(401, refused.statusCode());
    assertEquals(LISTED, header(refused, "Access-Control-Allow-Origin"));
    assertTrue(refused.body().contains("no_token"), refused.body());
    HttpResponse<String> unknown = call(front, "/nowhere", LISTED, true);
    assertEquals(404, unknown.statusCode());
    assertEquals(LISTED, header(unknown, "Access-Control-Allow-Origin"));
    HttpResponse<String> answered = call(front, "/things", LISTED, true);
    assertEquals(200, answered.statusCode());
    assertEquals(LISTED, header(answered, "Access-Control-Allow-Origin"));
  }

  @Test
  void aStreamTokenIsForFunctionsToCheckAndForOneRouteOnly() throws Exception {
    String shown = "stream_token=rys_x";
    assertEquals(200, plain("/v1/runs/r1/events?" + shown).statusCode());
    assertEquals(200, plain("/v1/runs/r1/events?after=3&" + shown).statusCode());
    for (String path :
        new String[] {
          "/v1/runs/r1/events",
          "/v1/runs/r1/events?not_" + shown,
          "/v1/runs/r1/events/?" + shown,
          "/things?" + shown
        }) {
      assertEquals(401, plain(path).statusCode(), path);
    }
  }

  private HttpResponse<String> plain(String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + front.port() + path);
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  private FrontServer server(Set<String> origins) {
    RouteTable routes =
        new RouteTable(new CorsDeclaration(origins, "GET,POST", "Authorization", "7200"));
    routes.add(
        "GET",
        "/things",
        new RouteTable.Target.Streamed(exchange -> exchange.sendResponseHeaders(200, -1)));
    routes.add(
        "GET",
        "/v1/runs/{id}/events",
        new RouteTable.Target.Streamed(exchange -> exchange.sendResponseHeaders(200, -1)));
    return new FrontServer(
        0,
        routes,
        Map.of("/places", exchange -> exchange.sendResponseHeaders(200, -1)),
        Optional.of(token),
        false);
  }

  private HttpResponse<String> ask(FrontServer server, String path, String origin)
      throws IOException, InterruptedException {
    return client.send(
        request(server, path, origin)
            .header("Access-Control-Request-Method", "GET")
            .method("OPTIONS", BodyPublishers.noBody())
            .build(),
        BodyHandlers.ofString());
  }

  private HttpResponse<String> call(FrontServer server, String path, String origin, boolean shown)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = request(server, path, origin);
    if (shown) {
      request.header("Authorization", "Bearer " + token.text());
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private static HttpRequest.Builder request(FrontServer server, String path, String origin) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
        .header("Origin", origin);
  }

  private static String header(HttpResponse<String> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }
}
