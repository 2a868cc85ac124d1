package dev.runyard.runner.checkout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.agent.GitServers;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import dev.runyard.runner.backend.Signals;
import dev.runyard.testkit.git.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Repositories of a real server, over ssh.
@Needs(Outside.SSH_CLIENT)
final class SshCheckoutTest {
  @TempDir private Path folder;
  private CheckoutRig rig;
  private SshGitServer server;
  private Repository repository;

  @BeforeEach
  void open() throws IOException {
    rig = new CheckoutRig(folder);
    repository = rig.repository("shop");
    server = new SshGitServer(folder.resolve("served"));
    rig.trusts(server.host(), server.hostKey());
  }

  @AfterEach
  void close() throws IOException {
    server.close();
    rig.close();
  }

  @Test
  void fetchesWithAKeyThatItLeavesNowhere() throws Exception {
    String commit = repository.commit("a", "1");

    Checkout.Result.Done done = rig.done(order(server.key()));

    Path workspace = done.base().workspace();
    assertEquals("1", Files.readString(workspace.resolve("a")));
    assertEquals(commit, done.facts().commit());
    assertEquals("ssh://" + server.host() + "/shop", done.facts().url());
    Repository agents = new Repository(workspace);
    assertEquals("", agents.git("status", "--porcelain"));
    assertEquals("ssh://" + server.host() + "/shop", agents.git("remote", "get-url", "origin"));
    assertEquals(List.of("git"), server.shown().stream().distinct().toList());
    assertNowhere(server.key().lines().toList().get(2));
    assertNowhere("ecdsa-sha2");
  }

  @Test
  void speaksToNoServerThatHasAnotherKeyThanTheOperatorLists() throws Exception {
    repository.commit("a", "1");
    server.changesItsKey();

    assertEquals(GitTrouble.HOST_KEY, rig.refused(order(server.key())));
    assertEquals(List.of(), server.shown());
    assertEquals(List.of(), server.asked());
  }

  @Test
  void trustsNoServerOfWhichItHasNoKey() throws Exception {
    repository.commit("a", "1");
    rig.trusts(server.host());

    assertEquals(GitTrouble.notListed(GitServers.KEYS), rig.refused(order(server.key())));
    assertEquals(List.of(), server.shown());
  }

  @Test
  void fetchesContentsOfGitLfsFromWhereTheServerSays() throws Exception {
    byte[] content = "large".repeat(1000).getBytes(StandardCharsets.UTF_8);
    try (LfsService lfs = new LfsService(rig.server)) {
      repository.write(".gitattributes", "*.bin filter=lfs -text\n");
      repository.commit("a.bin", lfs.keeps(content));
      lfs.wants("lfs:token");
      server.says(
          "{\"href\":\"%s.git/info/lfs\",\"header\":{\"Authorization\":\"Basic bGZzOnRva2Vu\"}}"
              .formatted(rig.server.url("shop")));

      Checkout.Result.Done done = rig.done(large());

      assertArrayEquals(content, Files.readAllBytes(done.base().workspace().resolve("a.bin")));
      assertTrue(server.asked().contains("git-lfs-authenticate '/shop' download"));
      assertTrue(lfs.asked().stream().allMatch(path -> path.endsWith(" with a password")));
    }
  }

  @Test
  void fetchesContentsOfGitLfsFromNoOtherServerThanTheOperatorLists() throws Exception {
    repository.write(".gitattributes", "*.bin filter=lfs -text\n");
    repository.commit("a.bin", LfsService.pointer("0".repeat(64), 5));

    for (String href :
        List.of("https://elsewhere.example/lfs", "file:///etc", "http://10.0.0.1/", "")) {
      server.says("{\"href\":\"" + href + "\"}");
      assertEquals(LfsTrouble.PLACE, rig.refused(large()), href);
    }
    server.says("no json");
    assertEquals(LfsTrouble.NO_LOGIN, rig.refused(large()));
    server.says("");
    assertEquals(LfsTrouble.NO_LOGIN, rig.refused(large()));
  }

  private Checkout.Order large() throws IOException {
    return new Checkout.Order(
        new WorkspaceSource.Git(server.url("shop"), null, 1, List.of(), false, true, "KEY"),
        null,
        Optional.of(server.key()),
        rig.folder());
  }

  @Test
  void saysWhichKeysAreOfNoUse() throws Exception {
    repository.commit("a", "1");

    Failure other = rig.refused(order(SshGitServer.otherKey()));
    assertEquals(Failure.CLONE_FAILED, other.code());
    assertTrue(other.message().contains("another one"), other.message());
    assertEquals(GitTrouble.NO_SECRET, rig.refused(order("a-token-and-no-key")));
    assertEquals(GitTrouble.NO_SECRET, rig.refused(order(server.lockedKey())));
    assertEquals(
        GitTrouble.NO_SECRET, rig.refused(order("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n")));
    assertEquals(List.of(), server.asked());
  }

  @Test
  void saysThatThereIsNoSuchRepository() throws Exception {
    Failure failure = rig.refused(order(server.url("none"), server.key()));

    assertEquals(Failure.CLONE_FAILED, failure.code());
    assertTrue(failure.message().startsWith("The server has no such repository"));
  }

  @Test
  void keepsTheKeyToItselfWhileItIsUsedAndRemovesItWhenStopped() throws Exception {
    repository.commit("a", "1");
    server.fallsSilent();
    List<String> seen = new CopyOnWriteArrayList<>();
    Thread stopper =
        Thread.ofPlatform()
            .start(
                () -> {
                  Signals.until(() -> !server.asked().isEmpty());
                  seen.addAll(modes());
                  rig.steps.stop();
                });

    assertEquals(GitTrouble.STOPPED, rig.refused(order(server.key())));
    stopper.join();
    assertEquals(List.of("rw-------", "rw-------"), seen);
    assertNowhere(server.key().lines().toList().get(2));
  }

  private List<String> modes() {
    try (Stream<Path> files = Files.walk(folder.resolve("made"))) {
      return files
          .filter(it -> String.valueOf(it.getFileName()).startsWith("ssh-"))
          .map(SshCheckoutTest::mode)
          .toList();
    } catch (IOException e) {
      return List.of(e.toString());
    }
  }

  private static String mode(Path file) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private void assertNowhere(String secret) throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("made"))) {
      for (Path file :
          files.filter(it -> Files.isRegularFile(it, LinkOption.NOFOLLOW_LINKS)).toList()) {
        assertFalse(
            new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(secret),
            file.toString());
      }
    }
  }

  private Checkout.Order order(String key) throws IOException {
    return order(server.url("shop"), key);
  }

  private Checkout.Order order(String url, String key) throws IOException {
    return new Checkout.Order(
        new WorkspaceSource.Git(url, null, 1, List.of(), false, false, "GIT"),
        null,
        Optional.of(key),
        rig.folder());
  }
}
