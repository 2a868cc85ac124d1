package dev.runyard.cli.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.HttpExchange;
import dev.runyard.aws.ApiSigner;
import dev.runyard.cli.client.RunServer.Request;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/// Requests to a deployed stack are signed as API Gateway wants it, and nothing that shows who
/// calls goes anywhere else.
final class SignedCallsTest {
  private static final String KEY_ID = "AKIDEXAMPLE";
  private static final String SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
  private static final String REGION = "eu-central-1";

  @TempDir private Path folder = Path.of("");

  private final RunServer server = new RunServer();
  private final SignatureCheck check = new SignatureCheck(KEY_ID, SECRET);
  private final List<String> wrong = new CopyOnWriteArrayList<>();
  private final List<String> shown = new CopyOnWriteArrayList<>();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void signsEveryKindOfCall() throws Exception {
    for (String call :
        List.of(
            "GET /live/v1/runs",
            "POST /live/v1/runs",
            "GET /live/v1/runs/a b/artifacts/x/y+z ü.txt",
            "GET /live/v1/runs/r1/events")) {
      server.on(call, (exchange, request) -> judge(exchange, request));
    }
    try (RunyardClient client = signing()) {
      List<ServerReply> replies = new ArrayList<>();
      replies.add(client.list(Map.of("status", "running", "agent", "a~b c", "limit", "2")));
      replies.add(client.submit(NewRun.of("echo", "hällo"), "key"));
      replies.add(client.artifact("a b", "x/y+z ü.txt", folder.resolve("got")));
      replies.add(client.events("r1", 3, 4, "runtime"));
      replies.forEach(reply -> assertInstanceOf(ServerReply.Done.class, reply, reply.toString()));
      HttpResponse<InputStream> stream = client.open("r1", 7, "runtime");
      assertEquals(200, stream.statusCode());
      stream.body().close();
    }
    assertEquals(List.of(), wrong);
    assertEquals(5, shown.size());
  }

  @Test
  void theCheckFindsAWrongSecret() throws Exception {
    SignatureCheck other = new SignatureCheck(KEY_ID, "another");
    server.on("GET /live/v1/runs", (exchange, request) -> note(wrong, other, exchange, request));
    try (RunyardClient client = signing()) {
      client.list(Map.of());
    }
    assertTrue(wrong.getFirst().startsWith("wrong signature"), wrong.toString());
  }

  @Test
  void signsEachTryOfASubmitAnew() {
    server.on(
        "POST /live/v1/runs",
        (exchange, request) -> {
          judgeOnly(exchange, request);
          exchange.close();
        });
    try (RunyardClient client = signing()) {
      assertInstanceOf(
          ServerReply.Unreachable.class, client.submit(NewRun.of("echo", "hi"), "key"));
    }
    assertEquals(RunyardClient.SUBMIT_TRIES_MAX, shown.size());
    assertEquals(List.of(), wrong);
  }

  @Test
  void saysThatThereAreNoCredentials() {
    try (RunyardClient client =
        new RunyardClient(
            server.uri(),
            new Identification.Aws(Optional.of("no profile has this name"), REGION))) {
      ServerReply reply = client.list(Map.of());
      assertTrue(
          reply instanceof ServerReply.Unreachable(var message, var nothingSent)
              && nothingSent
              && message.contains("no AWS credentials"),
          reply.toString());
    }
    assertEquals(List.of(), server.requests());
  }

  @Test
  void sendsNoKeyOverHttpToAnotherMachine() {
    for (Identification secret :
        List.of(
            new Identification.Bearer("ry_secret"),
            new Identification.Aws(Optional.empty(), REGION))) {
      try (RunyardClient client = new RunyardClient(URI.create("http://192.0.2.1:9"), secret)) {
        ServerReply reply = client.list(Map.of());
        assertTrue(
            reply instanceof ServerReply.Unreachable(var message, _)
                && message.contains("use https"),
            reply.toString());
      }
    }
  }

  @Test
  void followsNoRedirect() throws Exception {
    try (RunServer other = new RunServer();
        RunyardClient client =
            new RunyardClient(server.uri(), new Identification.Bearer("ry_secret"))) {
      server.on(
          "GET /v1/runs",
          (exchange, _) -> {
            exchange.getResponseHeaders().set("Location", other.uri() + "/v1/runs");
            RunServer.respond(exchange, 307, "{}");
          });
      ServerReply reply = client.list(Map.of());
      assertTrue(
          reply instanceof ServerReply.Refused(var problem) && problem.code().equals("http_307"),
          reply.toString());
      assertEquals(List.of(), other.requests());
    }
  }

  @Test
  void putsUploadsWithoutAKey() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "bytes");
    server.on("PUT /place", (exchange, _) -> answer(exchange));
    try (RunServer place = new RunServer();
        RunyardClient client =
            new RunyardClient(place.uri(), new Identification.Bearer("ry_secret"))) {
      for (String url : List.of(server.uri() + "/place", "http://192.0.2.1:9/place")) {
        client.put(
            JsonNodeFactory.instance.objectNode().put("url", url).put("method", "PUT"), file);
      }
    }
    assertEquals(List.of("none"), shown);
  }

  private RunyardClient signing() {
    URI api = URI.create(server.uri() + "/live");
    ApiSigner signer =
        new ApiSigner(
            REGION, StaticCredentialsProvider.create(AwsBasicCredentials.create(KEY_ID, SECRET)));
    return new RunyardClient(api, Sender.signing(api, signer), _ -> {});
  }

  private void judge(HttpExchange exchange, Request request) throws IOException {
    judgeOnly(exchange, request);
    RunServer.respond(exchange, 200, "{}");
  }

  private void judgeOnly(HttpExchange exchange, Request request) throws IOException {
    note(wrong, check, exchange, request);
    shown.add("signed");
  }

  private void answer(HttpExchange exchange) throws IOException {
    shown.add(
        exchange.getRequestHeaders().getOrDefault("Authorization", List.of("none")).getFirst());
    RunServer.respond(exchange, 200, "");
  }

  private static void note(
      List<String> wrong, SignatureCheck check, HttpExchange exchange, Request request)
      throws IOException {
    try {
      String judged = check.judge(exchange, request.body(), REGION);
      if (!judged.isEmpty()) {
        wrong.add(judged);
      }
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }
}
