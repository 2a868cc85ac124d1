package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.testkit.git.GitHubServer;
import dev.runyard.testkit.git.GitServer;
import dev.runyard.testkit.git.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// `kill -9` of the runner between push and pull request: of a run that publishes its own change,
/// and of one that was made to publish another's. Both are held at their push, for which a server
/// has minutes, until both are there: neither waits for the answer about pull requests, for which
/// it has half a minute, while the other still works.
@Order(2)
@Execution(ExecutionMode.CONCURRENT)
final class KilledPublishIT {
  private static final String NAME = "octo/shop";
  private static final String PUSH = "/git-receive-pack";
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final String SECRET = "token-of-the-publisher";

  @TempDir private Path folder;

  @Test
  void makesOneBranchAndOnePullRequestOfEachRun() throws Exception {
    StackFolder files = StackFolder.in(folder);
    Path served = folder.resolve("served");
    Repository repository = Repository.create(served.resolve(NAME));
    repository.git("config", "http.receivepack", "true");
    repository.commit("file", "from the repository\n");
    Path secret = folder.resolve("secret");
    Files.createFile(
        secret, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(secret, SECRET);
    try (GitServer server = new GitServer(served);
        GitHubServer forge = new GitHubServer(repository, NAME, SECRET)) {
      server.wants("x-access-token:" + SECRET);
      Files.writeString(
          files.agents(),
          """
          {"agents":{"shell":{"program":"/bin/sh","command":{},"secrets":{"GIT":"file:%s"},
            "git_hosts":["%s"],"git_forges":{"%s":%s}}}}
          """
              .formatted(secret, server.host(), server.host(), forge.setting()));
      try (SystemStack stack = SystemStack.emulated(files)) {
        Api api = stack.api();
        String first = api.run(shell(server.url(NAME), ""));
        assertEquals("completed", api.ended(first).path("status").asText());
        forge.fallsSilent("GET");
        server.holds(PUSH);
        String own = api.run(shell(server.url(NAME), ",\"publish\":" + publish("own")));
        stack.mayFail(own, "runner_lost");
        String by = publish(api, first, "later");
        while (pushes(server) < 2) {
          LockSupport.parkNanos(LOOK_NANOS);
        }
        server.speaks();
        while (forge.asked().size() < 2 || branches(repository).size() < 3) {
          LockSupport.parkNanos(LOOK_NANOS);
        }

        stack.killRunners();
        forge.speaks();

        JsonNode done = api.ended(by);
        assertEquals("completed", done.path("status").asText(), done::toString);
        assertEquals(2, done.path("attempt").asInt());
        assertNotEquals("completed", api.ended(own).path("status").asText());
        String again = publish(api, own, "own");
        assertEquals("completed", api.ended(again).path("status").asText());
        assertEquals(again, publish(api, own, "own"));
        assertEquals(List.of("later", "main", "own"), branches(repository));
        assertEquals(2, forge.pulls().size());
        JsonNode told = api.get("/v1/runs/" + own + "/publish").json();
        assertEquals(repository.git("rev-parse", "own"), told.path("commit").asText());
        assertEquals(again, told.path("run_id").asText());
      }
    }
  }

  private static long pushes(GitServer server) {
    return server.asked().stream().filter(path -> path.endsWith(PUSH)).count();
  }

  private static List<String> branches(Repository repository) throws Exception {
    return repository
        .git("for-each-ref", "--format=%(refname:short)", "refs/heads")
        .lines()
        .toList();
  }

  private static String publish(Api api, String run, String branch) throws Exception {
    Api.Answer answer = api.post("/v1/runs/" + run + "/publish", publish(branch));
    JsonNode of = api.view(run);
    assertEquals(202, answer.status(), () -> answer.json() + " for " + of + eventsOf(api, run));
    return answer.json().path("run_id").asText();
  }

  private static String eventsOf(Api api, String run) {
    try {
      return api.all(run, 1_000).toString();
    } catch (Exception e) {
      return e.toString();
    }
  }

  private static String publish(String branch) {
    return "{\"branch\":\"%s\",\"pull_request\":{}}".formatted(branch);
  }

  private static String shell(String url, String more) {
    return """
    {"agent":"shell","prompt":"echo 2 > b","workspace":{"git":{"url":"%s","credential":"GIT"}%s}}
    """
        .formatted(url, more);
  }
}
