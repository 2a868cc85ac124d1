package dev.runyard.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.local.emulator.FakeTask;
import dev.runyard.local.emulator.FakeTaskListener;
import dev.runyard.local.emulator.TaskLaunch;
import dev.runyard.local.rights.CallRecord;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The emulators of a stack answer nobody who has found their ports: not a program of this machine,
/// not an agent, not a page in a browser.
final class SideDoorsTest {
  private static final String KEY_ID = "AWS_ACCESS_KEY_ID";
  private static final String JSON = "application/x-amz-json-1.0";

  /// What would be done for a role that may.
  private static final Map<String, Request> REQUESTS =
      Map.of(
          "DYNAMODB",
          new Request(
              "POST",
              "/",
              JSON,
              "DynamoDB_20120810.PutItem",
              "{\"TableName\":\"Items\",\"Item\":{}}"),
          "SQS",
          new Request("POST", "/", JSON, "AmazonSQS.SendMessage", "{\"QueueUrl\":\"Jobs\"}"),
          "ECS",
          new Request(
              "POST",
              "/",
              "application/x-amz-json-1.1",
              "AmazonEC2ContainerServiceV20141113.RunTask",
              "{\"cluster\":\"Cluster\",\"taskDefinition\":\"runyard-fixture\"}"),
          "S3",
          new Request("PUT", "/bucket/key", "text/plain", "none", "x"));

  @TempDir private static Path folder;

  private static FakeTaskListener listener;
  private static LocalStack stack;
  private static FakeTaskListener.Connection task;

  private record Request(String method, String path, String type, String target, String body) {
    Map<String, String> headers() {
      return new HashMap<>(Map.of("Content-Type", type, "X-Amz-Target", target));
    }
  }

  @BeforeAll
  static void start() throws Exception {
    listener = new FakeTaskListener();
    Path template = Path.of("src", "test", "resources", "fixture", "template.yaml");
    Path java = Path.of(Objects.requireNonNull(System.getProperty("java.home")), "bin", "java");
    stack =
        LocalStack.start(
            LocalOptions.of(template, folder)
                .withParameter("FakePort", Integer.toString(listener.port())),
            new TaskLaunch(
                java,
                System.getProperty("java.class.path"),
                FakeTask.class.getName(),
                List.of("-XX:TieredStopAtLevel=1")));
    try (HttpClient client = HttpClient.newHttpClient()) {
      var put = StackRequests.in(folder, stack.uri(), "/items/one").PUT(BodyPublishers.noBody());
      assertEquals(201, client.send(put.build(), BodyHandlers.discarding()).statusCode());
    }
    task = listener.accept();
  }

  @AfterAll
  static void stop() throws IOException {
    stack.close();
    task.close();
    listener.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"DYNAMODB", "SQS", "ECS", "S3"})
  void refusesWhoHasNoKeyOfTheStack(String service) throws Exception {
    String id = variable(KEY_ID);
    assertTrue(id.endsWith("Role"), id);
    String code = id.substring(0, id.length() - "Role".length());
    for (String other :
        List.of(
            "Role",
            "local",
            "JobsFunction",
            code,
            code + "JobsFunction",
            "0".repeat(32) + "Role")) {
      Map<String, String> headers = signed(service, other);
      assertTrue(answer(service, headers).contains("role/nobody/local is not"), other);
    }
    String unsigned = answer(service, request(service).headers());
    assertTrue(
        unsigned.contains("role/nobody/local is not") || unsigned.contains(" 403 "), unsigned);
    String own = answer(service, signed(service, id));
    assertTrue(
        own.contains("role/Role/local is not"), "the key is taken, the right is lacking: " + own);
    assertFalse(Files.readString(folder.resolve(CallRecord.FILE)).contains("nobody"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"DYNAMODB", "SQS", "ECS", "S3"})
  void refusesWhatAPageSends(String service) throws Exception {
    for (String header :
        List.of("Origin: http://example.org", "Origin: null", "Host: example.org")) {
      Map<String, String> headers = signed(service, variable(KEY_ID));
      headers.put(header.split(": ", 2)[0], header.split(": ", 2)[1]);
      String refused = answer(service, headers);
      assertTrue(refused.startsWith("HTTP/1.1 403 "), refused);
      assertFalse(refused.contains("is not authorized"), "judged before the key: " + refused);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"DYNAMODB", "SQS", "ECS", "S3"})
  void refusesAForm(String service) throws Exception {
    String form = "Action=SendMessage&QueueUrl=Jobs&MessageBody=evil";
    String refused =
        answer(
            address(service),
            new Request("POST", "/", "application/x-www-form-urlencoded", "", form),
            Map.of("Content-Type", "application/x-www-form-urlencoded"));
    assertTrue(refused.startsWith("HTTP/1.1 40"), refused);
  }

  /// ElasticMQ itself takes anything from anybody, under an address that has a secret in it.
  @Test
  void hidesTheQueuesThemselves() throws Exception {
    URI queue = URI.create(variable("JOBS"));
    assertNotEquals(URI.create(variable("AWS_ENDPOINT_URL_SQS")).getPort(), queue.getPort());
    assertTrue(queue.getPath().matches("/[0-9a-f]{32}/000000000000/Jobs"), queue.getPath());
    URI found = URI.create("http://127.0.0.1:" + queue.getPort());
    for (String path :
        List.of("/", "/Jobs", "/000000000000/Jobs", "/queue/Jobs", "/x/000000000000/Jobs")) {
      for (Request request :
          List.of(
              new Request(
                  "POST", path, "application/x-www-form-urlencoded", "", "Action=ListQueues"),
              new Request("GET", path + "?Action=ListQueues", "text/plain", "", ""),
              new Request("POST", path, JSON, "AmazonSQS.ListQueues", "{}"))) {
        String refused = answer(found, request, request.headers());
        assertTrue(refused.startsWith("HTTP/1.1 404 "), path + ": " + refused);
      }
    }
  }

  private static Request request(String service) {
    return Objects.requireNonNull(REQUESTS.get(service));
  }

  private static Map<String, String> signed(String service, String id) {
    Map<String, String> headers = request(service).headers();
    headers.put(
        "Authorization",
        "AWS4-HMAC-SHA256 Credential=" + id + "/20260101/us-east-1/x/aws4_request, Signature=0");
    return headers;
  }

  private static String variable(String name) {
    return Objects.requireNonNull(task.variables().get(name), name);
  }

  private static URI address(String service) {
    return URI.create(variable("AWS_ENDPOINT_URL_" + service));
  }

  private static String answer(String service, Map<String, String> headers) throws IOException {
    return answer(address(service), request(service), headers);
  }

  private static String answer(URI server, Request request, Map<String, String> headers)
      throws IOException {
    Map<String, String> all = new HashMap<>(Map.of("Host", "127.0.0.1:" + server.getPort()));
    all.putAll(headers);
    StringBuilder text =
        new StringBuilder("%s %s HTTP/1.1\r\n".formatted(request.method(), request.path()));
    all.forEach((name, value) -> text.append(name).append(": ").append(value).append("\r\n"));
    text.append(
            "Connection: close\r\nContent-Length: %d\r\n\r\n".formatted(request.body().length()))
        .append(request.body());
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getPort())) {
      socket.getOutputStream().write(text.toString().getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
