package dev.runyard.system.packaged;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.cli.StackTokens;
import dev.runyard.system.CommandLine;
import dev.runyard.system.StackFolder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The demo agents' jar in a folder of the packaged stack, with a real runner, end to end.
final class AgentJarsIT {
  private static final Path HOME = Path.of(System.getProperty("runyard.home"));
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int LOOKS_MAX = 6_000;

  @TempDir private Path folder;

  private final HttpClient client = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();
  private Process stack;
  private URI uri;
  private String token;

  @BeforeEach
  void up() throws IOException, InterruptedException {
    String agents = HOME.resolve("demo-agents/target/agents").toString();
    stack =
        CommandLine.of(
                StackFolder.in(folder).home(), List.of("up", "--port", "0", "--agent-jars", agents))
            .redirectErrorStream(true)
            .start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(stack.getInputStream(), StandardCharsets.UTF_8));
    StringBuilder said = new StringBuilder();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      said.append(line).append('\n');
      if (line.startsWith("ready ")) {
        uri = URI.create(line.substring("ready ".length()));
        token = StackTokens.of(System.getenv()).find(uri).orElseThrow();
        Thread.ofVirtual().start(() -> out.lines().forEach(_ -> {}));
        return;
      }
    }
    throw new AssertionError(said.toString());
  }

  @AfterEach
  void down() throws InterruptedException {
    stack.destroy();
    stack.waitFor();
    client.close();
  }

  @Test
  void anAgentAsksAndIsAnswered() throws Exception {
    assertEquals(200, get("/v1/agents/awaiter").statusCode());
    String run = submit("awaiter");

    JsonNode waiting = until(run, "awaiting");
    String action = waiting.at("/await_request/action_id").textValue();
    assertEquals(
        200,
        post("/v1/actions/" + action, "{\"decision\":\"answer\",\"payload\":\"go on\"}")
            .statusCode());

    assertEquals("empty", until(run, "completed").path("final_text").textValue());
  }

  @Test
  void anAgentFailsInItsOwnWords() throws Exception {
    JsonNode failed = until(submit("failer"), "failed");

    assertEquals("invalid_input", failed.at("/error/code").textValue());
    assertEquals("Wrong question buddy!", failed.at("/error/message").textValue());
  }

  @Test
  void anAgentNobodyInstalledIsRefusedBeforeItIsQueued() throws Exception {
    assertEquals(404, post("/v1/runs", "{\"agent\":\"nobody\",\"prompt\":\"hi\"}").statusCode());
  }

  private String submit(String agent) throws Exception {
    HttpResponse<String> accepted =
        post("/v1/runs", "{\"agent\":\"%s\",\"prompt\":\"Howdy!\"}".formatted(agent));
    assertEquals(202, accepted.statusCode(), accepted.body());
    return json.readTree(accepted.body()).path("run_id").textValue();
  }

  private JsonNode until(String run, String status) throws Exception {
    String shown = "";
    for (int i = 0; i < LOOKS_MAX; i++) {
      shown = get("/v1/runs/" + run).body();
      JsonNode now = json.readTree(shown);
      if (now.path("status").asText().equals(status)) {
        return now;
      }
      assertTrue(!now.path("closed").asBoolean(), shown);
      LockSupport.parkNanos(LOOK_NANOS);
    }
    throw new AssertionError(shown);
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(request(path).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> post(String path, String body) throws Exception {
    return client.send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(uri.resolve(path)).header("Authorization", "Bearer " + token);
  }
}
