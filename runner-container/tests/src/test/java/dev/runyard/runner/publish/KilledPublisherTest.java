package dev.runyard.runner.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.agent.GitForges;
import dev.runyard.runner.backend.Signals;
import dev.runyard.testkit.git.ForgeServer;
import dev.runyard.testkit.git.GitHubServer;
import dev.runyard.testkit.git.GitLabServer;
import dev.runyard.testkit.git.GitServer;
import dev.runyard.testkit.git.Repository;
import dev.runyard.testkit.threads.TestPatience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A process that publishes and is killed as `kill -9` does.
@Execution(ExecutionMode.CONCURRENT)
final class KilledPublisherTest {
  private static final String NAME = "octo/shop";
  private static final String SECRET = "token-of-the-publisher";

  /// A run of its own: whoever ends the processes of a run ends all of them on this machine.
  private final String run = "019c0000-0000-7" + UUID.randomUUID().toString().substring(15);

  @TempDir private Path directory;
  private GitServer server;
  private Repository repository;
  private Map<GitForges.Kind, ForgeServer> forges;
  private int started;

  @BeforeEach
  void open() {
    Path served = directory.resolve("served");
    server = new GitServer(served);
    server.wants("x-access-token:" + SECRET);
    repository = Repository.create(served.resolve(NAME));
    repository.git("config", "http.receivepack", "true");
    forges =
        Map.of(
            GitForges.Kind.GITHUB, new GitHubServer(repository, NAME, SECRET),
            GitForges.Kind.GITLAB, new GitLabServer(repository, NAME, SECRET));
  }

  @AfterEach
  void close() {
    server.close();
    forges.values().forEach(ForgeServer::close);
  }

  @ParameterizedTest
  @CsvSource({
    "GITHUB, /octo/shop/git-receive-pack",
    "GITHUB, GET",
    "GITHUB, POST",
    "GITLAB, GET",
    "GITLAB, POST"
  })
  void makesOneBranchAndOnePullRequestWhereverItWasKilled(GitForges.Kind kind, String where)
      throws Exception {
    ForgeServer forge = forge(kind);
    String base = repository.commit("a", "1\n");
    Path patch = directory.resolve("patch");
    Files.writeString(
        patch,
        """
        diff --git a/b b/b
        new file mode 100644
        index 0000000000000000000000000000000000000000..0cfbf08886fca9a91cb753ec8734c84fcbe52c9f
        --- /dev/null
        +++ b/b
        @@ -0,0 +1 @@
        +2
        """);
    if (where.startsWith("/")) {
      server.fallsSilent(where);
      killed(kind, base, patch, () -> server.asked().contains(where));
    } else {
      forge.fallsSilent(where);
      killed(
          kind,
          base,
          patch,
          () -> forge.asked().stream().anyMatch(asked -> asked.startsWith(where)));
    }
    server.speaks();
    forge.speaks();
    assertEquals("published", finished(kind, base, patch));
    assertEquals("published", finished(kind, base, patch));

    assertEquals(
        List.of("fix/b", "main"),
        repository.git("for-each-ref", "--format=%(refname:short)", "refs/heads").lines().toList());
    assertEquals(base, repository.git("rev-parse", "fix/b^"));
    assertEquals(1, forge.pulls().size());
  }

  private void killed(GitForges.Kind kind, String base, Path patch, BooleanSupplier then)
      throws IOException, InterruptedException {
    Process process = start(kind, base, patch);
    Signals.until(
        () -> {
          assertTrue(process.isAlive(), "it has not ended before");
          return then.getAsBoolean();
        });
    List<ProcessHandle> children = process.descendants().toList();
    process.destroyForcibly().waitFor();
    children.forEach(ProcessHandle::destroyForcibly);
    assertFalse(Files.exists(folder().resolve("done")));
  }

  private String finished(GitForges.Kind kind, String base, Path patch)
      throws IOException, InterruptedException {
    Process process = start(kind, base, patch);
    process.waitFor(TestPatience.LONG_SECONDS, TimeUnit.SECONDS);
    return Files.readString(folder().resolve("done"));
  }

  private Process start(GitForges.Kind kind, String base, Path patch) throws IOException {
    started++;
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            PublisherProcess.class.getName(),
            Files.createDirectory(folder()).toString(),
            run,
            server.url(NAME),
            kind.name(),
            forge(kind).api(),
            SECRET,
            base,
            patch.toString())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private ForgeServer forge(GitForges.Kind kind) {
    return Objects.requireNonNull(forges.get(kind));
  }

  private Path folder() {
    return directory.resolve("publisher" + started);
  }
}
