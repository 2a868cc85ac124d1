package dev.runyard.local.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import dev.runyard.local.function.LambdaFunction;
import dev.runyard.testkit.threads.TestPatience;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FrontServerTest {
  private final BlockingQueue<APIGatewayProxyRequestEvent> seen = new LinkedBlockingQueue<>();
  private final CountDownLatch firstRead = new CountDownLatch(1);
  private final AccessToken token = AccessToken.drawn(new SecureRandom());
  private ExecutorService calls;
  private FrontServer front;
  private HttpClient client;

  @BeforeEach
  void start() {
    calls = Executors.newVirtualThreadPerTaskExecutor();
    client = HttpClient.newHttpClient();
    RouteTable routes = new RouteTable();
    routes.add("GET", "/things/{id}", new RouteTable.Target.Buffered(function("one")));
    routes.add("POST", "/things/{id}", new RouteTable.Target.Buffered(function("one")));
    routes.add("GET", "/things/special", new RouteTable.Target.Buffered(function("special")));
    routes.add("ANY", "/files/{name+}", new RouteTable.Target.Buffered(function("files")));
    routes.add("GET", "/fails", new RouteTable.Target.Buffered(failing()));
    routes.add(
        "GET",
        "/stream",
        new RouteTable.Target.Streamed(
            exchange -> {
              exchange.sendResponseHeaders(200, 0);
              exchange.getResponseBody().write("first\n".getBytes(StandardCharsets.UTF_8));
              exchange.getResponseBody().flush();
              try {
                firstRead.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              exchange.getResponseBody().write("second\n".getBytes(StandardCharsets.UTF_8));
            }));
    front = new FrontServer(0, routes, Optional.of(token));
  }

  @AfterEach
  void stop() {
    front.close();
    client.close();
    calls.shutdownNow();
  }

  @Test
  void passesTheRequestAsApiGatewayDoes() throws Exception {
    HttpResponse<String> response =
        client.send(
            request("/things/a%20b?q=1&q=2%2B3&empty=")
                .header("X-Many", "a")
                .header("X-Many", "b")
                .POST(BodyPublishers.ofString("grüß"))
                .build(),
            BodyHandlers.ofString());
    assertEquals(201, response.statusCode());
    assertEquals("one", response.body());
    assertEquals(List.of("x=1", "y=2"), response.headers().allValues("Set-Cookie"));
    APIGatewayProxyRequestEvent event = seen.take();
    assertEquals("/things/{id}", event.getResource());
    assertEquals("/things/a%20b", event.getPath());
    assertEquals(Map.of("id", "a b"), event.getPathParameters());
    assertEquals(Map.of("q", "2+3", "empty", ""), event.getQueryStringParameters());
    assertEquals(List.of("1", "2+3"), event.getMultiValueQueryStringParameters().get("q"));
    assertEquals(List.of("a", "b"), event.getMultiValueHeaders().get("X-many"));
    assertEquals("grüß", event.getBody());
    assertEquals(false, event.getIsBase64Encoded());
    assertEquals("127.0.0.1", event.getRequestContext().getIdentity().getSourceIp());
  }

  @Test
  void takesNoWordOfAClientForWhoItIs() throws Exception {
    HttpRequest.Builder forged =
        request("/things/1")
            .header("X-Amzn-Request-Context", "{\"identity\":{\"userArn\":\"root\"}}")
            .header("X-Amz-Tenant-Id", "other");
    client.send(forged.build(), BodyHandlers.ofString());

    APIGatewayProxyRequestEvent event = seen.take();
    assertEquals("local", event.getRequestContext().getIdentity().getUserArn());
    assertEquals(
        List.of(),
        event.getHeaders().keySet().stream()
            .filter(name -> name.toLowerCase(Locale.ROOT).matches("x-amz.*|authorization"))
            .toList());
  }

  @Test
  void tellsAServerWhoCallsAsTheAdapterDoes() throws Exception {
    try (FrontServer open = new FrontServer(0, whoCalls(), Map.of(), Optional.of(token), true)) {
      HttpRequest.Builder forged =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + open.port() + "/who"))
              .header("x-amzn-request-context", "{\"identity\":{\"userArn\":\"local\"}}")
              .header("x-amz-tenant-id", "other");
      assertEquals(
          "null, Bearer ry_x, null",
          client
              .send(
                  forged.copy().header("Authorization", "Bearer ry_x").build(),
                  BodyHandlers.ofString())
              .body());
      assertEquals(
          "{\"identity\":{\"userArn\":\"local\"}}, null, null",
          client
              .send(
                  forged.copy().header("Authorization", "Bearer " + token.text()).build(),
                  BodyHandlers.ofString())
              .body());
    }
  }

  /// Answers with what the request says of its caller.
  private static RouteTable whoCalls() {
    RouteTable routes = new RouteTable();
    routes.add(
        "GET",
        "/who",
        new RouteTable.Target.Streamed(
            exchange -> {
              var headers = exchange.getRequestHeaders();
              byte[] said =
                  "%s, %s, %s"
                      .formatted(
                          headers.getFirst("x-amzn-request-context"),
                          headers.getFirst("Authorization"),
                          headers.getFirst("x-amz-tenant-id"))
                      .getBytes(StandardCharsets.UTF_8);
              exchange.sendResponseHeaders(200, said.length);
              exchange.getResponseBody().write(said);
            }));
    return routes;
  }

  @Test
  void letsFunctionsJudgeWhoShowsAKey() throws Exception {
    RouteTable routes = new RouteTable();
    routes.add("GET", "/things/{id}", new RouteTable.Target.Buffered(function("one")));
    try (FrontServer open = new FrontServer(0, routes, Map.of(), Optional.of(token), true)) {
      URI uri = URI.create("http://127.0.0.1:" + open.port() + "/things/1");
      for (String shown : List.of("Bearer ry_key", "Bearer " + token.text(), "")) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        if (!shown.isEmpty()) {
          request.header("Authorization", shown);
        }
        client.send(request.build(), BodyHandlers.ofString());
        APIGatewayProxyRequestEvent event = seen.take();
        boolean operator = shown.endsWith(token.text());
        assertEquals(
            operator ? "local" : null, event.getRequestContext().getIdentity().getUserArn());
        assertEquals(
            operator || shown.isEmpty() ? null : shown, event.getHeaders().get("Authorization"));
      }
      HttpRequest.Builder foreign = HttpRequest.newBuilder(uri).header("Origin", "http://evil");
      assertEquals(403, client.send(foreign.build(), BodyHandlers.ofString()).statusCode());
    }
  }

  @Test
  void encodesBodiesThatAreNotText() throws Exception {
    client.send(
        request("/things/1").POST(BodyPublishers.ofByteArray(new byte[] {(byte) 0xff, 0})).build(),
        BodyHandlers.ofString());
    APIGatewayProxyRequestEvent event = seen.take();
    assertEquals(true, event.getIsBase64Encoded());
    assertEquals("/wA=", event.getBody());
  }

  @Test
  void prefersTheMostSpecificRoute() throws Exception {
    assertEquals("special", get("/things/special").body());
    assertEquals("one", get("/things/other").body());
    assertNull(seen.take().getPathParameters());
    assertEquals("files", get("/files/a/b/c").body());
    seen.take();
    assertEquals(Map.of("name", "a/b/c"), seen.take().getPathParameters());
  }

  @Test
  void answersUnknownPathsAndMethodsWithProblems() throws Exception {
    assertProblem(get("/nowhere"), 404, "not_found");
    assertProblem(get("/things"), 404, "not_found");
    HttpResponse<String> wrong =
        client.send(request("/things/1").DELETE().build(), BodyHandlers.ofString());
    assertProblem(wrong, 405, "method_not_allowed");
    assertEquals("GET, POST", wrong.headers().firstValue("Allow").orElse(""));
    assertProblem(get("/fails"), 502, "internal_error");
  }

  @Test
  void refusesBodiesLargerThanApiGatewayTakes() throws Exception {
    HttpResponse<String> response =
        client.send(
            request("/things/1")
                .POST(BodyPublishers.ofByteArray(new byte[FrontServer.BODY_BYTES_MAX + 1]))
                .build(),
            BodyHandlers.ofString());
    assertProblem(response, 413, "body_too_large");
  }

  @Test
  void sendsAStreamAsItIsProduced() throws Exception {
    HttpResponse<InputStream> response =
        client.send(request("/stream").build(), BodyHandlers.ofInputStream());
    try (InputStream body = response.body()) {
      assertEquals("first\n", new String(body.readNBytes(6), StandardCharsets.UTF_8));
      firstRead.countDown();
      assertEquals("second\n", new String(body.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void refusesForeignHostsAndOrigins() throws IOException {
    assertEquals(200, status("Host: 127.0.0.1:" + front.port()));
    assertEquals(200, status("Host: localhost"));
    assertEquals(200, status("Host: [::1]:80"));
    assertEquals(403, status("Host: example.org"));
    assertEquals(403, status("Host: 127.0.0.1.example.org"));
    assertEquals(403, status("Host: localhost\r\nOrigin: http://example.org"));
    assertEquals(403, status("Host: localhost\r\nOrigin: null"));
    assertEquals(200, status("Host: localhost:1\r\nOrigin: http://localhost:1"));
    assertEquals(403, status("Host: localhost:1\r\nOrigin: http://localhost:2"));
  }

  @Test
  void refusesWhoShowsNoTokenOrAnother() throws Exception {
    for (String path : List.of("/things/1", "/stream", "/nowhere", "/ping")) {
      HttpResponse<String> nobody = client.send(unknown(path).build(), BodyHandlers.ofString());
      assertProblem(nobody, 401, "no_token");
      assertEquals("Bearer", nobody.headers().firstValue("WWW-Authenticate").orElse(""));
    }
    String text = token.text();
    for (String other :
        List.of(
            "Bearer",
            "Bearer " + text.substring(1),
            "Bearer " + text + "x",
            "Bearer " + AccessToken.drawn(new SecureRandom()).text(),
            "Basic " + text,
            text)) {
      HttpRequest request = unknown("/things/1").header("Authorization", other).build();
      assertProblem(client.send(request, BodyHandlers.ofString()), 401, "invalid_token");
    }
    HttpRequest twice = request("/things/1").header("Authorization", "Bearer x").build();
    assertProblem(client.send(twice, BodyHandlers.ofString()), 401, "invalid_token");
    assertTrue(seen.isEmpty(), "no function was called");
  }

  @Test
  void keepsTheTokenFromFunctions() throws Exception {
    HttpRequest request =
        unknown("/things/1").header("authorization", "bearer " + token.text()).build();
    assertEquals(200, client.send(request, BodyHandlers.ofString()).statusCode());
    assertTrue(
        seen.take().getHeaders().keySet().stream()
            .noneMatch(name -> name.equalsIgnoreCase("Authorization")));
  }

  @Test
  void takesRequestsOfAnybodyWithoutAToken() throws Exception {
    RouteTable routes = new RouteTable();
    routes.add("GET", "/things/{id}", new RouteTable.Target.Buffered(function("open")));
    try (FrontServer open = new FrontServer(0, routes, Optional.empty())) {
      URI thing = URI.create("http://127.0.0.1:" + open.port() + "/things/1");
      HttpRequest request = HttpRequest.newBuilder(thing).build();
      assertEquals("open", client.send(request, BodyHandlers.ofString()).body());
    }
  }

  @Test
  void refusesAddressesAndHeadersThatAreTooLong() throws Exception {
    assertProblem(get("/things/" + "x".repeat(9_000)), 414, "uri_too_long");
    int status = status("Host: localhost\r\nX-Long: " + "x".repeat(40_000));
    assertTrue(status == 431 || status == -1, "status " + status);
  }

  /// The status of the answer, or -1 when the connection was cut.
  private int status(String headers) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), front.port())) {
      socket
          .getOutputStream()
          .write(
              ("GET /things/1 HTTP/1.1\r\n"
                      + headers
                      + "\r\nAuthorization: "
                      + shown()
                      + "\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return answer.isEmpty() ? -1 : Integer.parseInt(answer.split(" ", 3)[1]);
    } catch (SocketException e) {
      return -1;
    }
  }

  private static void assertProblem(HttpResponse<String> response, int status, String code) {
    assertEquals(status, response.statusCode());
    assertEquals(
        "application/problem+json", response.headers().firstValue("Content-Type").orElse(""));
    assertTrue(response.body().contains("\"code\":\"" + code + "\""), response.body());
    assertTrue(
        response.body().contains(status < 500 ? "\"caller\"" : "\"internal\""), response.body());
    assertTrue(response.body().contains("\"detail\":"), response.body());
    assertTrue(response.headers().firstValue("Access-Control-Allow-Origin").isEmpty());
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return client.send(request(path).build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    return unknown(path).header("Authorization", shown());
  }

  /// A request of somebody who has no token.
  private HttpRequest.Builder unknown(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + front.port() + path));
  }

  private String shown() {
    return "Bearer " + token.text();
  }

  private LambdaFunction function(String name) {
    return new LambdaFunction(
        name,
        TestPatience.LONG,
        128,
        (event, context) -> {
          APIGatewayProxyRequestEvent request = (APIGatewayProxyRequestEvent) event;
          seen.add(request);
          return new APIGatewayProxyResponseEvent()
              .withStatusCode(request.getHttpMethod().equals("POST") ? 201 : 200)
              .withMultiValueHeaders(Map.of("Set-Cookie", List.of("x=1", "y=2")))
              .withBody(name);
        },
        calls);
  }

  private LambdaFunction failing() {
    return new LambdaFunction(
        "failing",
        TestPatience.LONG,
        128,
        (event, context) -> {
          throw new IllegalStateException("as told");
        },
        calls);
  }
}
