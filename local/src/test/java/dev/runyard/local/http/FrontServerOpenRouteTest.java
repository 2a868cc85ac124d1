package dev.runyard.local.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FrontServerOpenRouteTest {
  private static final int NO_BODY = -1;

  @Test
  void takesRequestsOfAnybodyOnAnOpenRouteAlone() throws Exception {
    RouteTable routes = new RouteTable();
    RouteTable.Target answers = new RouteTable.Target.Streamed(FrontServerOpenRouteTest::answer);
    routes.add("POST", "/hooks/{id}", answers);
    routes.open("POST", "/hooks/{id}");
    routes.add("GET", "/hooks/{id}", answers);
    routes.add("POST", "/hooks/{id}/more", answers);
    Optional<AccessToken> token = Optional.of(AccessToken.drawn(new SecureRandom()));
    try (FrontServer server = new FrontServer(0, routes, token);
        HttpClient client = HttpClient.newHttpClient()) {
      URI hook = URI.create("http://127.0.0.1:" + server.port() + "/hooks/1");
      HttpRequest.Builder post = HttpRequest.newBuilder(hook).POST(BodyPublishers.noBody());
      assertEquals(200, client.send(post.build(), BodyHandlers.ofString()).statusCode());
      assertRefused(
          client.send(
              post.copy().header("Origin", "https://page.example").build(),
              BodyHandlers.ofString()),
          403,
          "forbidden_origin");
      for (HttpRequest other :
          List.of(
              HttpRequest.newBuilder(hook).build(),
              HttpRequest.newBuilder(hook).DELETE().build(),
              post.copy().uri(URI.create(hook + "/more")).build(),
              post.copy().uri(URI.create(hook + "/none")).build())) {
        assertRefused(client.send(other, BodyHandlers.ofString()), 401, "no_token");
      }
    }
  }

  private static void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(200, NO_BODY);
    }
  }

  private static void assertRefused(HttpResponse<String> response, int status, String code) {
    assertEquals(status, response.statusCode(), response.body());
    assertTrue(response.body().contains("\"code\":\"" + code + "\""), response.body());
  }
}
