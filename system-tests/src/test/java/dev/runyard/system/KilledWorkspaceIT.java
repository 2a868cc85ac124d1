package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.testkit.git.GitServer;
import dev.runyard.testkit.git.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// `kill -9` of the runner while it checks a repository out, runs a setup command or an agent,
/// takes the change, stores it, and before and after it has written the end of a run. Each of these
/// runs is held at its point by the server, the git or the bucket that its runner waits for.
@Order(2)
@Tag("embedded")
@Execution(ExecutionMode.CONCURRENT)
final class KilledWorkspaceIT {
  private static final String RETRIED = ",\"retry\":{\"max_attempts\":2,\"on\":[\"runner_lost\"]}";
  private static final String STAYS = "sleep 1000";
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final int HELD_BY_SERVER = 4;

  @TempDir private Path folder;

  @Test
  void keepsWholeChangesOfTheRightAttemptOrNoneAndLeavesNothing() throws Exception {
    StackFolder files = StackFolder.in(folder, Map.of("RunsPerRunner", "32"));
    Files.writeString(
        files.agents(), "{\"agents\":{\"shell\":{\"program\":\"/bin/sh\",\"command\":{}}}}");
    HeldGit git = HeldGit.in(files);
    Path served = folder.resolve("served");
    try (GitServer server = new GitServer(served);
        HeldBucket bucket = new HeldBucket(files);
        SystemStack stack = SystemStack.emulated(files)) {
      Api api = stack.api();
      Repository.create(served.resolve("shop")).commit("file", "from the repository\n");
      Repository.create(served.resolve("hold/shop")).commit("file", "of the other one\n");
      server.fallsSilent("/hold");
      String shop = server.url("shop");
      String ended = api.run(shell(shop, made("made"), "true", ""));
      api.ended(ended);
      String cloning = api.run(shell(server.url("hold/shop"), made("made"), "true", ""));
      String setUp = api.run(shell(shop, made("made"), asking(server, "setup"), ""));
      String lost = api.run(shell(shop, made("made") + asking(server, "lost"), "true", ""));
      String worked = api.run(shell(shop, made("made") + asking(server, "work"), "true", RETRIED));
      String gate = "git ls-remote " + bucket.gate() + " || :; ";
      String before = gate + made("held-before-patch");
      String after = gate + made("held-after-list.json");
      HeldRuns atBucket =
          new HeldRuns(
              api,
              List.of(
                  shell(shop, before, "true", ""),
                  shell(shop, before, "true", RETRIED),
                  shell(shop, after, "true", ""),
                  shell(shop, after, "true", RETRIED)));
      while (held(server) < HELD_BY_SERVER || bucket.atGate() < atBucket.ids().size()) {
        aMoment();
      }
      String taken = api.run(shell(shop, made("held-while-taken"), "true", RETRIED));
      while (!git.waits()) {
        aMoment();
      }
      bucket.openGate();
      atBucket.await(bucket);
      String unsaid = atBucket.ids().get(0);
      String stored = atBucket.ids().get(1);
      String named = atBucket.ids().get(2);
      String renamed = atBucket.ids().get(3);
      List<String> again = List.of(cloning, setUp, worked, taken, stored, renamed);
      List<String> once = List.of(lost, unsaid, named);
      once.forEach(id -> stack.mayFail(id, "runner_lost"));

      stack.killRunners();
      server.speaks();
      bucket.release();
      git.release();

      keepsTheChangesOfRunsThatDoNotComplete(stack, shop);
      for (String id : again) {
        JsonNode end = api.ended(id);
        assertEquals("completed", end.path("status").asText(), end::toString);
        checkChange(api, id, 2);
      }
      for (String id : once) {
        assertEquals("runner_lost", api.ended(id).at("/error/code").asText());
      }
      checkNoChange(api, lost);
      checkNoChange(api, unsaid);
      checkChange(api, named, 1);
      checkChange(api, ended, 1);
      assertEquals("of the other one", api.view(cloning).path("final_text").asText());
      for (String id : List.of(cloning, setUp)) {
        List<String> types = Api.types(api.all(id, 1_000));
        assertEquals(1, types.stream().filter("context.resolved"::equals).count(), types::toString);
        assertTrue(types.indexOf("hook.completed") > types.indexOf("process.started"));
      }
      for (String id : Stream.concat(again.stream(), once.stream()).toList()) {
        SystemStack.awaitAgentsEnd(id);
      }
      while (!left().isEmpty()) {
        aMoment();
      }
    }
  }

  /// At the next runner, while nobody has received what the killed one worked on.
  private static void keepsTheChangesOfRunsThatDoNotComplete(SystemStack stack, String shop)
      throws Exception {
    Api api = stack.api();
    String failing = api.run(shell(shop, made("made") + "exit 3", "true", ""));
    stack.mayFail(failing, "agent_failed");
    String unwanted = api.run(shell(shop, made("made") + STAYS, "true", ""));
    api.until(unwanted, "model.delta");
    assertEquals(202, api.cancel(unwanted).status());
    assertEquals("failed", api.ended(failing).path("status").asText());
    assertEquals("cancelled", api.ended(unwanted).path("status").asText());
    for (String id : List.of(failing, timedOut(stack, shop), unwanted)) {
      checkChange(api, id, 1);
    }
  }

  /// A run whose time was over when it had worked. Its time goes on while its repository is checked
  /// out: if the machine was too busy for that, the next one has twice as long.
  private static String timedOut(SystemStack stack, String shop) throws Exception {
    for (int seconds = 10; ; seconds *= 2) {
      String more = ",\"timeout_seconds\":" + seconds;
      String id = stack.api().run(shell(shop, made("made") + STAYS, "true", more));
      stack.mayFail(id, "timed_out");
      assertEquals("timed_out", stack.api().ended(id).path("phase").asText());
      if (Api.types(stack.api().all(id, 1_000)).contains("model.delta")) {
        return id;
      }
    }
  }

  /// Runs that the bucket holds, until their runner gives up.
  private static final class HeldRuns {
    private final Api api;
    private final List<String> bodies;
    private final List<String> ids = new ArrayList<>();
    private int begun;

    HeldRuns(Api api, List<String> bodies) throws IOException, InterruptedException {
      this.api = api;
      this.bodies = bodies;
      for (String body : bodies) {
        ids.add(begin(body));
      }
    }

    List<String> ids() {
      return ids;
    }

    private String begin(String body) throws IOException, InterruptedException {
      begun++;
      return api.run(body);
    }

    /// Waits until all are held at once: one that was given up meanwhile, because the others took
    /// longer to come, is begun again.
    void await(HeldBucket bucket) throws IOException, InterruptedException {
      boolean all = false;
      while (!all) {
        while (bucket.held() < begun) {
          aMoment();
        }
        all = true;
        for (int i = 0; i < ids.size(); i++) {
          if (api.view(ids.get(i)).path("closed").asBoolean()) {
            ids.set(i, begin(bodies.get(i)));
            all = false;
          }
        }
      }
    }
  }

  private static long held(GitServer server) {
    return server.asked().stream().filter(path -> path.startsWith("/hold")).distinct().count();
  }

  /// The change is there, and all of it was made by this attempt.
  private static void checkChange(Api api, String id, int attempt) throws Exception {
    List<JsonNode> starts =
        api.all(id, 1_000).stream()
            .filter(event -> event.path("type").asText().equals("task.attempt.started"))
            .toList();
    String attemptId = starts.get(attempt - 1).at("/payload/attemptId").asText();
    JsonNode changes = api.get("/v1/runs/" + id + "/changes").json();
    assertEquals(attempt, changes.path("attempt").asInt(), changes::toString);
    assertEquals(1, changes.path("files_total").asInt(), changes::toString);
    String patch = text(api.raw("/v1/runs/" + id + "/patch"));
    assertTrue(patch.contains("\n+" + id + "." + attemptId + "\n"), patch);
    JsonNode artifacts = api.get("/v1/runs/" + id + "/artifacts").json().path("artifacts");
    assertEquals(1, artifacts.size(), artifacts::toString);
    String name = artifacts.path(0).path("name").asText();
    String artifact = text(api.raw("/v1/runs/" + id + "/artifacts/" + name));
    assertEquals(id + "." + attemptId + "\n", artifact);
  }

  private static void checkNoChange(Api api, String id) throws Exception {
    for (String what : List.of("changes", "patch", "artifacts", "workspace")) {
      Api.Answer answer = api.get("/v1/runs/" + id + "/" + what);
      assertEquals(404, answer.status());
      assertEquals("changes_not_found", answer.code());
    }
  }

  private static String text(Api.Answer answer) {
    assertEquals(200, answer.status());
    return new String(answer.http().body(), StandardCharsets.UTF_8);
  }

  /// The folders of attempts that are still there.
  private List<Path> left() throws IOException {
    List<Path> left = new ArrayList<>();
    for (String kind : List.of("workspaces", "homes", "checkouts")) {
      try (Stream<Path> found = Files.list(folder.resolve("data/work/work").resolve(kind))) {
        found.forEach(left::add);
      }
    }
    return left;
  }

  private static void aMoment() {
    LockSupport.parkNanos(LOOK_NANOS);
  }

  /// A command that leaves a file with the mark of its attempt, and shows another.
  private static String made(String name) {
    return "echo $RUNYARD_RUN > " + name + "; cat file; ";
  }

  /// A command that the server holds.
  private static String asking(GitServer server, String what) {
    return "git ls-remote " + server.url("hold/" + what) + " || :";
  }

  private static String shell(String url, String prompt, String setup, String more) {
    return """
    {"agent":"shell","prompt":"%s","workspace":{"git":{"url":"%s"},"setup":["%s"],
     "artifacts":["made","held-*"]}%s}
    """
        .formatted(prompt, url, setup, more);
  }
}
