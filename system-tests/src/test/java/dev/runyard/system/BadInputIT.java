package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Everything that must be refused: each with a 4xx problem and a stable code, and nothing is
/// created, queued or lost.
final class BadInputIT {
  @TempDir private static Path folder;

  private static StackFolder files;
  private static SystemStack stack;
  private static Api api;
  private static Set<String> runs;

  @BeforeAll
  static void start() throws Exception {
    files = StackFolder.in(folder);
    stack = SystemStack.start(files);
    api = stack.api();
    runs = runs();
  }

  @AfterEach
  void nothingWasMade() throws Exception {
    assertEquals(runs, runs());
  }

  /// A valid run still completes, and no runner ever worked on a refused run.
  @AfterAll
  static void nothingWasQueued() throws Exception {
    String id = api.run(Api.echo(1, 0, ""));
    assertEquals("completed", api.ended(id).path("status").asText());
    Set<String> worked = files.worked();
    while (!worked.contains(id)) {
      worked = files.worked();
    }
    stack.close();
    Set<String> known = new TreeSet<>(runs);
    known.add(id);
    assertTrue(known.containsAll(worked), worked::toString);
  }

  /// A request and its expected response.
  record Bad(String name, int status, String code, HttpRequest.Builder request) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Bad> bodies() {
    return Stream.of(
        body("unknown agent", 404, "unknown_backend", "{\"agent\":\"nobody\",\"prompt\":\"x\"}"),
        body("no agent name", 400, "invalid_agent_kind", "{\"agent\":\"No!\",\"prompt\":\"x\"}"),
        body("agent of 64 KiB", 400, "invalid_agent_kind", agent("a".repeat(65_536))),
        body("agent ..", 400, "invalid_agent_kind", agent("..")),
        body("agent %2e%2e", 400, "invalid_agent_kind", agent("%2e%2e")),
        body("agent emoji", 400, "invalid_agent_kind", agent("\uD83D\uDE80")),
        body("agent absent", 400, "invalid_request", "{\"prompt\":\"x\"}"),
        with(
            "unknown extension", "unsupported_capability", "\"extensions\":{\"backend.echo.x\":1}"),
        with(
            "extension of another agent",
            "unsupported_capability",
            "\"extensions\":{\"backend.codex.exec.sandbox_mode\":\"read-only\"}"),
        with(
            "extension of a wrong type",
            "invalid_request",
            "\"extensions\":{\"backend.echo.events\":\"many\"}"),
        with(
            "extension out of range",
            "invalid_request",
            "\"extensions\":{\"backend.echo.events\":0}"),
        with("unknown capability", "unsupported_capability", "\"requires\":[\"agent_api.fly\"]"),
        with("unknown member", "invalid_request", "\"status\":\"completed\""),
        body("blank prompt", 400, "invalid_request", prompt(" \\n\\t")),
        body("no prompt", 400, "invalid_request", "{\"agent\":\"echo\"}"),
        body("prompt of a number", 400, "invalid_request", "{\"agent\":\"echo\",\"prompt\":1}"),
        body("prompt too long", 400, "invalid_request", prompt("p".repeat(256 * 1024 + 1))),
        body("body too long", 413, "body_too_large", prompt("p".repeat(1024 * 1024))),
        body("body far too long", 413, "body_too_large", prompt("p".repeat(11 << 20))),
        with("too many variables", "invalid_request", "\"env\":" + members(65)),
        with("long variable", "invalid_request", "\"env\":{\"A\":\"" + "v".repeat(4_097) + "\"}"),
        with("variable that takes over", "invalid_request", "\"env\":{\"LD_PRELOAD\":\"x\"}"),
        with("variable without a name", "invalid_request", "\"env\":{\"A=B\":\"x\"}"),
        with("10,000 members", "invalid_request", "\"tags\":" + members(10_000)),
        with("too many extensions", "invalid_request", "\"extensions\":" + members(33)),
        with("session id", "invalid_request", "\"session_id\":\"../x\""),
        with("long session id", "invalid_request", "\"session_id\":\"" + "s".repeat(129) + "\""),
        with("folder outside", "invalid_request", "\"working_dir\":\"../../etc\""),
        with("absolute folder", "invalid_request", "\"working_dir\":\"/etc\""),
        with("timeout of 2^63", "invalid_request", "\"timeout_seconds\":9223372036854775808"),
        with("timeout of 1e400", "invalid_request", "\"timeout_seconds\":1e400"),
        with("timeout below 0", "invalid_request", "\"timeout_seconds\":-1"),
        with("too many attempts", "invalid_request", "\"retry\":{\"max_attempts\":11}"),
        with("lone high surrogate", "invalid_request", "\"tags\":{\"a\":\"\\ud800\"}"),
        with("lone low surrogate in a name", "invalid_request", "\"tags\":{\"\\udc00\":\"a\"}"),
        body("lone surrogate in the prompt", 400, "invalid_request", prompt("a\\ud83d!")),
        with("null character", "invalid_request", "\"tags\":{\"a\":\"\\u0000\"}"),
        with("not a number", "malformed_json", "\"timeout_seconds\":NaN"),
        with("a name twice", "malformed_json", "\"prompt\":\"again\""),
        body("empty", 400, "malformed_json", ""),
        body("null", 400, "malformed_json", "null"),
        body("array", 400, "malformed_json", "[{\"agent\":\"echo\",\"prompt\":\"x\"}]"),
        body("half", 400, "malformed_json", "{\"agent\":\"echo\",\"prompt\":"),
        body("something behind it", 400, "malformed_json", prompt("x") + "{}"),
        body("comment", 400, "malformed_json", "/* x */" + prompt("x")),
        body("depth of 65", 400, "malformed_json", deep(65)),
        body("depth of 10,000", 400, "malformed_json", deep(10_000)),
        body("500,000 brackets", 400, "malformed_json", "[".repeat(500_000)),
        bytes("broken UTF-8", "7b226167656e74223a22ff227d"),
        bytes("surrogate in UTF-8", "7b226167656e74223a22eda080227d"),
        bytes("overlong UTF-8", "7b226167656e74223a22c0af227d"),
        bytes("UTF-16", "fffe7b007d00"));
  }

  static Stream<Bad> requests() {
    return Stream.of(
        typed("text/plain"),
        typed("application/x-www-form-urlencoded"),
        typed("multipart/form-data; boundary=x"),
        typed("application/json; charset=utf-16"),
        typed("application/jsonp"),
        new Bad(
            "no content type",
            415,
            "unsupported_media_type",
            api.request("/v1/runs").POST(BodyPublishers.ofString(prompt("x")))),
        new Bad(
            "compressed",
            400,
            "malformed_json",
            json()
                .header("Content-Encoding", "gzip")
                .POST(BodyPublishers.ofByteArray(new byte[] {0x1f, (byte) 0x8b, 8, 0}))),
        keyed("blank key", " "),
        keyed("key too long", "k".repeat(256)),
        keyed("half a quoted key", "\"k"),
        get("list: limit 0", "/v1/runs?limit=0"),
        get("list: limit 101", "/v1/runs?limit=101"),
        get("list: limit as text", "/v1/runs?limit=ten"),
        get("list: unknown status", "/v1/runs?status=done"),
        get("list: unknown parameter", "/v1/runs?tenant=other"),
        get("list: a parameter twice", "/v1/runs?limit=1&limit=2"),
        new Bad("list: cursor", 400, "invalid_cursor", api.request("/v1/runs?cursor=AAAA")),
        get("events: after", "/v1/runs/" + ABSENT + "/events?after=-1"),
        get("events: limit", "/v1/runs/" + ABSENT + "/events?limit=1001"),
        get("events: wait", "/v1/runs/" + ABSENT + "/events?wait=21"),
        get("events: view", "/v1/runs/" + ABSENT + "/events?view=raw"),
        get("events: broken escape", "/v1/runs/" + ABSENT + "/events?x=%25zz"),
        new Bad(
            "events: last id",
            400,
            "invalid_request",
            api.request("/v1/runs/" + ABSENT + "/events").header("Last-Event-ID", "x")),
        missing("run", "/v1/runs/" + ABSENT),
        missing("run of a bad id", "/v1/runs/..%2f..%2fetc"),
        missing("events", "/v1/runs/" + ABSENT + "/events"),
        new Bad(
            "cancel of no run",
            404,
            "run_not_found",
            api.request("/v1/runs/" + ABSENT + "/cancel").POST(BodyPublishers.noBody())),
        new Bad("no such agent", 404, "unknown_backend", api.request("/v1/agents/nobody")),
        new Bad("no such path", 404, "not_found", api.request("/v2/runs")),
        new Bad("wrong method", 405, "method_not_allowed", api.request("/v1/runs").DELETE()),
        new Bad(
            "long query", 414, "uri_too_long", api.request("/v1/runs?cursor=" + "c".repeat(9_000))),
        new Bad(
            "page of another origin",
            403,
            "forbidden_origin",
            json()
                .header("Origin", "http://evil.example")
                .POST(BodyPublishers.ofString(prompt("x")))));
  }

  private static final String ABSENT = "01900000-0000-7000-8000-000000000000";

  @ParameterizedTest
  @MethodSource({"bodies", "requests"})
  void isRefusedWithACode(Bad bad) throws Exception {
    Api.Answer answer = api.send(bad.request());
    assertEquals(bad.status() + " " + bad.code(), answer.status() + " " + answer.code());
    assertEquals("application/problem+json", answer.type());
    assertEquals(bad.status(), answer.json().path("status").asInt());
    assertEquals("", answer.http().headers().firstValue("Access-Control-Allow-Origin").orElse(""));
  }

  @Test
  void aRefusedRequestBindsNoKey() throws Exception {
    assertEquals(400, api.submit("refused", prompt("")).status());
    assertEquals(400, api.submit("refused", "{").status());
    Api.Answer accepted = api.submit("refused", Api.echo(1, 0, ""));
    assertEquals(202, accepted.status());
    String id = accepted.json().path("run_id").asText();
    api.ended(id);
    api.listed(id, "limit=100");
    runs = new TreeSet<>(runs);
    runs.add(id);
  }

  @Test
  void onlyThisMachinesNamesAreServed() throws Exception {
    for (String host : List.of("evil.example", "127.0.0.1.evil.example", "")) {
      String answer = raw("Host: " + host + "\r\n");
      assertTrue(answer.startsWith("HTTP/1.1 403"), answer);
      assertTrue(answer.contains("application/problem+json"), answer);
      assertTrue(answer.contains("\"forbidden_host\""), answer);
    }
    String twice = raw("Host: localhost\r\nHost: evil.example\r\n");
    assertTrue(twice.startsWith("HTTP/1.1 403"), twice);
    String good = raw("Host: localhost:" + api.uri().getPort() + "\r\n");
    assertTrue(good.startsWith("HTTP/1.1 200"), good);
  }

  @Test
  void tooManyHeadersAreRefused() throws Exception {
    String large = raw("Host: localhost\r\nX-Large: " + "h".repeat(40_000) + "\r\n");
    assertTrue(large.isEmpty() || large.startsWith("HTTP/1.1 4"), large);
    String many = raw("Host: localhost\r\n" + "X-Many: h\r\n".repeat(2_000));
    assertTrue(many.isEmpty() || many.startsWith("HTTP/1.1 4"), many);
    assertEquals(200, api.get("/v1/agents").status());
  }

  /// Sends a request with just these header lines and returns the whole response.
  private static String raw(String headers) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.uri().getPort())) {
      socket
          .getOutputStream()
          .write(
              ("GET /v1/agents HTTP/1.1\r\n"
                      + headers
                      + "Authorization: Bearer "
                      + api.token()
                      + "\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (java.net.SocketException _) {
      return "";
    }
  }

  private static Set<String> runs() throws IOException, InterruptedException {
    Set<String> ids = new TreeSet<>();
    String cursor = "";
    do {
      JsonNode page = api.get("/v1/runs?limit=100" + cursor).json();
      page.path("runs").forEach(run -> ids.add(run.path("run_id").asText()));
      JsonNode next = page.path("next_cursor");
      cursor = next.isNull() ? "" : "&cursor=" + next.asText();
    } while (!cursor.isEmpty());
    return ids;
  }

  private static HttpRequest.Builder json() {
    return api.request("/v1/runs").header("Content-Type", Api.TYPE);
  }

  private static Bad body(String name, int status, String code, String body) {
    return new Bad(name, status, code, json().POST(BodyPublishers.ofString(body)));
  }

  private static Bad with(String name, String code, String member) {
    return body(name, 400, code, "{\"agent\":\"echo\",\"prompt\":\"x\"," + member + "}");
  }

  private static Bad bytes(String name, String hex) {
    return new Bad(
        name,
        400,
        "malformed_json",
        json().POST(BodyPublishers.ofByteArray(HexFormat.of().parseHex(hex))));
  }

  private static Bad typed(String type) {
    return new Bad(
        type,
        415,
        "unsupported_media_type",
        api.request("/v1/runs")
            .header("Content-Type", type)
            .POST(BodyPublishers.ofString(prompt("x"))));
  }

  private static Bad keyed(String name, String key) {
    return new Bad(
        name,
        400,
        "invalid_request",
        json().header("Idempotency-Key", key).POST(BodyPublishers.ofString(prompt("x"))));
  }

  private static Bad get(String name, String path) {
    return new Bad(name, 400, "invalid_request", api.request(path));
  }

  private static Bad missing(String name, String path) {
    return new Bad("no such " + name, 404, "run_not_found", api.request(path));
  }

  private static String agent(String kind) {
    return "{\"agent\":\"" + kind + "\",\"prompt\":\"x\"}";
  }

  private static String prompt(String text) {
    return "{\"agent\":\"echo\",\"prompt\":\"" + text + "\"}";
  }

  private static String members(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "\"K" + i + "\":\"\"")
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String deep(int levels) {
    char[] open = new char[levels];
    Arrays.fill(open, '[');
    return "{\"agent\":" + new String(open) + "]".repeat(levels) + "}";
  }
}
