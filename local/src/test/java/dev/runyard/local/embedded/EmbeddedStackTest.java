package dev.runyard.local.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.fleet.Slot;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.embedded.EmbeddedStore;
import dev.runyard.embedded.StoreSettings;
import dev.runyard.local.DataFolder;
import dev.runyard.local.LocalOptions;
import dev.runyard.local.http.TokenFolder;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The project's own template on the embedded store, used over HTTP.
final class EmbeddedStackTest {
  /// The exit of a process that was asked to stop.
  private static final int TERMINATED = 128 + 15;

  private static final Duration KEPT = Duration.ofDays(9);
  private static final long LOOK_NANOS = 10_000_000;

  @TempDir private Path folder = Path.of("");

  private StackClient client = new StackClient(folder);

  @BeforeEach
  void open() {
    client = new StackClient(folder);
  }

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void hasARunnerBeforeAnybodyNeedsOne() throws Exception {
    try (EmbeddedStack _ = start()) {
      Path logs = folder.resolve("work").resolve("logs");
      while (Objects.requireNonNull(logs.toFile().list()).length == 0) {
        assertFalse(Thread.interrupted(), "no runner was started");
        LockSupport.parkNanos(LOOK_NANOS);
      }
      int looks = 1;
      while (!hasRunner(folder.resolve("copy-" + looks))) {
        looks++;
      }
    }
  }

  /// Whether the stack's store says so, by a copy of it.
  private boolean hasRunner(Path copy) {
    DataBackup.copy(folder.resolve("data"), copy);
    StoreSettings settings = new StoreSettings(DataFolder.store(copy), KEPT, false, 1);
    try (EmbeddedStore store =
        EmbeddedStore.open(settings, InstantSource.system(), new RandomIds(new Random(1)))) {
      return store.slots().read().slots().stream().anyMatch(Slot.Held.class::isInstance);
    }
  }

  @Test
  void runsAnAgentToItsEnd() throws Exception {
    try (EmbeddedStack stack = start()) {
      String run = client.submit(stack.uri(), "{\"agent\":\"echo\",\"prompt\":\"hello\"}");
      List<JsonNode> events = client.streamed(stack.uri(), run);
      assertEquals("task.completed", events.getLast().path("type").asText(), events::toString);
      assertEquals(events, client.events(stack.uri(), run));
      JsonNode read = client.run(stack.uri(), run);
      assertEquals("completed", read.path("status").asText());
      assertEquals("hello", read.path("final_text").asText());
    }
  }

  @Test
  void servesOnlyWhoShowsItsOwnToken() throws Exception {
    Path work = folder.resolve("work");
    TokenFolder tokens = new TokenFolder(work.resolve("tokens"));
    LocalOptions options = StackClient.options(folder);
    try (EmbeddedStack one = EmbeddedStack.start(options, false);
        EmbeddedStack two = EmbeddedStack.start(options.withData(folder.resolve("two")), false)) {
      String first = tokens.find(one.uri()).orElseThrow();
      String second = tokens.find(two.uri()).orElseThrow();
      assertNotEquals(first, second);
      assertEquals(200, StackClient.status(one.uri(), "Bearer " + first));
      assertEquals(200, StackClient.status(two.uri(), "Bearer " + second));
      assertEquals(401, StackClient.status(one.uri(), "Bearer " + second));
      assertEquals(401, StackClient.status(two.uri(), "none"));
    }
    assertEquals(List.of(), List.of(Objects.requireNonNull(tokens.path().toFile().list())));
  }

  @Test
  void letsKeysInThatItsOperatorMakes() throws Exception {
    LocalOptions options = StackClient.options(folder).withParameter("Access", "BEARER");
    try (EmbeddedStack stack = EmbeddedStack.start(options, false)) {
      String made =
          client.posted(
              stack.uri(), "/v1/keys", "{\"tenant\":\"shop\",\"scopes\":[\"agents:read\"]}", 201);
      String key = StackClient.member(made, "key");
      assertEquals(200, StackClient.status(stack.uri(), "Bearer " + key));
      assertEquals(401, StackClient.status(stack.uri(), "Bearer " + key + "x"));
      assertEquals(401, StackClient.status(stack.uri(), "none"));
      assertEquals(403, StackClient.status(stack.uri(), "Bearer " + key, "/v1/runs"));

      String id = StackClient.member(made, "id");
      client.posted(stack.uri(), "/v1/keys/" + id + "/revoke?tenant=shop", "", 200);
    }
    try (EmbeddedStack again = EmbeddedStack.start(options, false)) {
      String listed = client.text(again.uri(), "/v1/keys?tenant=shop");
      assertFalse(listed.contains("\"revoked_at\":null"), listed);
    }
  }

  @Test
  void servesAnybodyWithoutATokenAndLeavesNone() throws Exception {
    LocalOptions options = StackClient.options(folder).withoutToken();
    try (EmbeddedStack stack = EmbeddedStack.start(options, false)) {
      assertEquals(200, StackClient.status(stack.uri(), "none"));
      assertFalse(Files.exists(folder.resolve("work").resolve("tokens")));
    }
  }

  @Test
  void listsRunsOnceTheirReadModelsFollow() throws Exception {
    try (EmbeddedStack stack = start()) {
      String run = client.submit(stack.uri(), "{\"agent\":\"echo\",\"prompt\":\"listed\"}");
      client.streamed(stack.uri(), run);
      JsonNode listed = client.listed(stack.uri(), "completed");
      assertEquals(run, listed.path("run_id").asText(), listed::toString);
    }
  }

  @Test
  void endsTheProcessesOfACancelledAgent() throws Exception {
    try (EmbeddedStack stack = start()) {
      String run = client.submit(stack.uri(), held());
      client.until(stack.uri(), run, "model.completed");
      assertFalse(marked(run).isEmpty());
      client.cancel(stack.uri(), run);
      List<JsonNode> events = client.streamed(stack.uri(), run);
      assertEquals("task.cancelled", events.getLast().path("type").asText(), events::toString);
      assertEquals(List.of(), marked(run));
    }
  }

  @Test
  void continuesWhatAnEarlierStackLeftInItsFolder() throws Exception {
    String held;
    List<JsonNode> before;
    String waiting;
    try (EmbeddedStack stack = start()) {
      held = client.submit(stack.uri(), held());
      before = client.until(stack.uri(), held, "model.completed");
      waiting =
          client.submit(
              stack.uri(),
              """
              {"agent":"echo","prompt":"hi","extensions":{"backend.echo.fail":true},
               "retry":{"max_attempts":2,"backoff_seconds":3}}
              """);
      client.until(stack.uri(), waiting, "task.retrying");
      assertThrows(IllegalStateException.class, () -> start().close());
    }
    assertEquals(List.of(), marked(held));
    try (EmbeddedStack stack = start()) {
      List<JsonNode> events = client.streamed(stack.uri(), held);
      assertEquals(before, events.subList(0, before.size()));
      assertEquals("failed", client.run(stack.uri(), held).path("status").asText());
      List<JsonNode> retried = client.streamed(stack.uri(), waiting);
      assertEquals("task.failed", retried.getLast().path("type").asText());
      assertEquals(2, client.run(stack.uri(), waiting).path("attempt").asInt());
    }
  }

  @Test
  void continuesFromACopyThatWasMadeWhileItRan() throws Exception {
    String run;
    List<JsonNode> events;
    try (EmbeddedStack stack = start()) {
      run = client.submit(stack.uri(), "{\"agent\":\"echo\",\"prompt\":\"kept\"}");
      events = client.streamed(stack.uri(), run);
      DataBackup.copy(folder.resolve("data"), folder.resolve("copy"));
    }
    try (EmbeddedStack stack =
        EmbeddedStack.start(StackClient.options(folder).withData(folder.resolve("copy")), false)) {
      assertEquals(events, client.events(stack.uri(), run));
    }
  }

  @Test
  void refusesTheDataOfEmulators() throws Exception {
    Files.createDirectories(folder.resolve("data").resolve("tables"));
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> start().close());
    assertTrue(refused.toString().contains("--emulated"), refused::toString);
  }

  @Test
  void endsAgentsThatNobodyWorksOnBeforeItStarts() throws Exception {
    String run;
    try (EmbeddedStack stack = start()) {
      run = client.submit(stack.uri(), "{\"agent\":\"echo\",\"prompt\":\"left\"}");
      client.streamed(stack.uri(), run);
    }
    ProcessBuilder left = new ProcessBuilder("sleep", "1000");
    left.environment().put("RUNYARD_RUN", run + ".attempt");
    Process ours = left.start();
    left.environment().put("RUNYARD_RUN", "019c0000-0000-7000-8000-000000000001.attempt");
    Process other = left.start();
    try (EmbeddedStack _ = start()) {
      assertEquals(TERMINATED, ours.waitFor());
      assertTrue(other.isAlive());
    } finally {
      other.destroyForcibly();
    }
  }

  private EmbeddedStack start() throws IOException {
    return EmbeddedStack.start(StackClient.options(folder), true);
  }

  /// The agent of [StackClient#options] says that it works, and stays with two children.
  private static String held() {
    return "{\"agent\":\"codex\",\"prompt\":\"hold\"}";
  }

  private static List<Path> marked(String run) throws IOException {
    try (var processes = Files.list(Path.of("/proc"))) {
      return processes
          .filter(process -> process.getFileName().toString().matches("[0-9]+"))
          .filter(process -> environment(process).contains("RUNYARD_RUN=" + run + "."))
          .toList();
    }
  }

  private static String environment(Path process) {
    try {
      return new String(
          Files.readAllBytes(process.resolve("environ")), StandardCharsets.ISO_8859_1);
    } catch (IOException _) {
      return "";
    }
  }

  @Test
  void hasOneStoreAndNoOther() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            EmbeddedStack.start(
                StackClient.options(folder).withEndpoint(URI.create("http://127.0.0.1:1")), true));
  }
}
