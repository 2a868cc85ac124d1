package dev.runyard.runner.checkout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.runner.backend.Signals;
import dev.runyard.testkit.git.GitServer;
import dev.runyard.testkit.git.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Repositories of a real server, over HTTP.
final class CheckoutTest {
  private static final String SECRET = "canary-of-the-credential";

  @TempDir private Path folder;
  private CheckoutRig rig;
  private Repository repository;

  @BeforeEach
  void open() throws IOException {
    rig = new CheckoutRig(folder);
    repository = rig.repository("shop");
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void writesTheFilesOfTheBranchThatTheServerNames() throws Exception {
    String commit = repository.commit("src/Main.java", "class Main {}\n");

    Checkout.Result.Done done = rig.done(rig.order(rig.source("shop", null)));

    Path workspace = done.base().workspace();
    assertEquals("class Main {}\n", Files.readString(workspace.resolve("src/Main.java")));
    assertEquals(commit, done.base().commit());
    assertEquals(commit, done.facts().commit());
    assertEquals(rig.server.url("shop"), done.facts().url());
    assertEquals(1, done.facts().files());
    assertEquals(14, done.facts().bytes());
    assertFalse(done.base().gitDirectory().startsWith(workspace));
  }

  @Test
  void givesTheAgentARepositoryToCommitTo() throws Exception {
    repository.commit("a", "1");
    String commit = repository.commit("a", "2");

    Path workspace = rig.done(rig.order(rig.source("shop", "main"))).base().workspace();

    Repository agents = new Repository(workspace);
    assertEquals("", agents.git("status", "--porcelain"));
    assertEquals("main", agents.git("branch", "--show-current"));
    assertEquals(commit, agents.head());
    assertEquals(rig.server.url("shop"), agents.git("remote", "get-url", "origin"));
    assertEquals("1", agents.git("rev-list", "--count", "HEAD"));
    assertEquals("origin/main", agents.git("rev-parse", "--abbrev-ref", "@{u}"));
    agents.commit("b", "3");
    assertEquals("2", agents.git("rev-list", "--count", "HEAD"));
    assertEquals("", agents.git("fsck", "--connectivity-only"));
  }

  @Test
  void checksOutTagsAndCommitsAndHistory() throws Exception {
    String first = repository.commit("a", "1");
    repository.git("tag", "-a", "v1", "-m", "one");
    repository.commit("a", "2");
    repository.git("checkout", "-q", "-b", "side/way");
    String side = repository.commit("a", "3");
    repository.git("checkout", "-q", "main");

    assertEquals(first, commit(rig.source("shop", "v1")));
    assertEquals(first, commit(rig.source("shop", first)));
    assertEquals(side, commit(rig.source("shop", side)));
    assertEquals(side, commit(rig.source("shop", "side/way")));
    WorkspaceSource.Git all =
        new WorkspaceSource.Git(
            rig.server.url("shop"), "side/way", 0, List.of(), false, false, null);
    Path workspace = rig.done(rig.order(all)).base().workspace();
    assertEquals("3", new Repository(workspace).git("rev-list", "--count", "HEAD"));
  }

  @Test
  void findsNoRefThatIsNotThere() throws Exception {
    repository.commit("a", "1");
    rig.repository("empty");

    for (WorkspaceSource.Git source :
        List.of(
            rig.source("shop", "other"),
            rig.source("shop", "mai"),
            rig.source("shop", "0123456789012345678901234567890123456789"),
            rig.source("empty", null))) {
      assertEquals(Failure.REF_NOT_FOUND, rig.refused(rig.order(source)).code(), source.toString());
    }
  }

  @Test
  void keepsTheCommitOfAnEarlierAttempt() throws Exception {
    String first = repository.commit("a", "1");
    repository.commit("a", "2");

    Checkout.Order order =
        new Checkout.Order(rig.source("shop", "main"), first, Optional.empty(), rig.folder());
    Path workspace = rig.done(order).base().workspace();

    assertEquals("1", Files.readString(workspace.resolve("a")));
    assertEquals("main", new Repository(workspace).git("branch", "--show-current"));
  }

  @Test
  void leavesTheFilesOfAnEarlierAttemptAsTheyAre() throws Exception {
    String first = repository.commit("a", "1");
    Path workspace = rig.folder();
    Files.writeString(workspace.resolve("a"), "of the agent");

    Checkout.Result again =
        rig.checkouts()
            .again(
                new Checkout.Order(rig.source("shop", null), first, Optional.empty(), workspace));

    assertTrue(
        again instanceof Checkout.Result.Done(Origin base, var _, var _)
            && base.commit().equals(first));
    assertEquals("of the agent", Files.readString(workspace.resolve("a")));
    assertFalse(Files.exists(workspace.resolve(".git")));
  }

  @Test
  void writesEveryFileAsItWasCommitted() throws Exception {
    byte[] binary = new byte[4096];
    new java.util.Random(1).nextBytes(binary);
    repository.write(
        ".gitattributes", "* text eol=crlf ident filter=lfs\n*.u working-tree-encoding=UTF-16\n");
    repository.commit();
    Path at = repository.path();
    Files.write(at.resolve("binary"), binary);
    Files.writeString(at.resolve("crlf"), "a\r\nb\r\n");
    Files.writeString(at.resolve("x.u"), "größe $Id$\n");
    Files.createDirectories(at.resolve("with space/größe💖"));
    Files.writeString(at.resolve("with space/größe💖/new\nline\t\"quoted\""), "odd\n");
    Files.createSymbolicLink(at.resolve("link"), Path.of("../../outside"));
    Files.createSymbolicLink(at.resolve("passwd"), Path.of("/etc/passwd"));
    Files.writeString(at.resolve("run.sh"), "#!/bin/sh\n");
    assertTrue(at.resolve("run.sh").toFile().setExecutable(true));
    repository.write(".git/info/attributes", "* -text -filter -ident -working-tree-encoding\n");
    repository.commit();

    Path workspace = rig.done(rig.order(rig.source("shop", "main"))).base().workspace();

    assertArrayEquals(binary, Files.readAllBytes(workspace.resolve("binary")));
    for (String same : List.of("crlf", "x.u", "with space/größe💖/new\nline\t\"quoted\"")) {
      assertEquals(Files.readString(at.resolve(same)), Files.readString(workspace.resolve(same)));
    }
    assertEquals(Path.of("../../outside"), Files.readSymbolicLink(workspace.resolve("link")));
    assertEquals(Path.of("/etc/passwd"), Files.readSymbolicLink(workspace.resolve("passwd")));
    assertTrue(Files.isExecutable(workspace.resolve("run.sh")));
  }

  @Test
  void checksOutOnlyTheFoldersThatAreAskedFor() throws Exception {
    repository.write("a/b/c", "1");
    repository.write("a/d", "2");
    repository.commit("e", "3");
    WorkspaceSource.Git sparse =
        new WorkspaceSource.Git(
            rig.server.url("shop"), null, 1, List.of("a/b"), false, false, null);

    Checkout.Result.Done done = rig.done(rig.order(sparse));

    Path workspace = done.base().workspace();
    assertEquals("1", Files.readString(workspace.resolve("a/b/c")));
    assertFalse(Files.exists(workspace.resolve("a/d")));
    assertFalse(Files.exists(workspace.resolve("e")));
    assertEquals(1, done.facts().files());
    assertEquals("", new Repository(workspace).git("status", "--porcelain"));
  }

  @Test
  void checksOutPathsOfAnyName() throws Exception {
    List<String> odd =
        List.of("d d", "\u00fc", "[x]", "a*b", "end  ", "back\\slash", "#h", "!n", ":m", "-o");
    for (String name : odd) {
      repository.write(name + "/in", "1");
    }
    repository.write("x/in", "2");
    repository.write("aab/in", "2");
    repository.commit("other", "3");
    WorkspaceSource.Git sparse =
        new WorkspaceSource.Git(rig.server.url("shop"), null, 1, odd, false, false, null);

    Checkout.Result.Done done = rig.done(rig.order(sparse));

    try (Stream<Path> there = Files.list(done.base().workspace())) {
      assertEquals(
          Stream.concat(odd.stream(), Stream.of(".git")).sorted().toList(),
          there.map(path -> path.getFileName().toString()).sorted().toList());
    }
    assertEquals(odd.size(), done.facts().files());
    assertEquals("", new Repository(done.base().workspace()).git("status", "--porcelain"));
  }

  @Test
  void checksOutFilesThatAreAskedForToo() throws Exception {
    repository.write("a/b/c", "1");
    repository.write("a/d", "2");
    repository.write("[d]", "3");
    repository.commit("d", "4");
    WorkspaceSource.Git sparse =
        new WorkspaceSource.Git(
            rig.server.url("shop"), null, 1, List.of("a/d", "none"), false, false, null);

    Path workspace = rig.done(rig.order(sparse)).base().workspace();

    assertEquals("2", Files.readString(workspace.resolve("a/d")));
    assertFalse(Files.exists(workspace.resolve("a/b")));
    assertFalse(Files.exists(workspace.resolve("d")));
    assertEquals("", new Repository(workspace).git("status", "--porcelain"));
  }

  @Test
  void showsTheCredentialToItsServerAndLeavesItNowhere() throws Exception {
    rig.server.wants("x-access-token:" + SECRET);
    repository.commit("a", "1");

    assertEquals(Failure.CLONE_FAILED, rig.refused(rig.order(rig.source("shop", null))).code());
    assertEquals(Failure.CLONE_FAILED, rig.refused(secret("another-one-of-some-length")).code());
    Checkout.Order order = secret(SECRET);
    rig.done(order);

    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file :
          files.filter(it -> Files.isRegularFile(it, LinkOption.NOFOLLOW_LINKS)).toList()) {
        assertFalse(
            new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(SECRET),
            file.toString());
      }
    }
    assertFalse(order.toString().contains(SECRET));
  }

  @Test
  void takesAUserWithThePassword() throws Exception {
    rig.server.wants("me:" + SECRET);
    repository.commit("a", "1");

    rig.done(secret("me:" + SECRET));
  }

  @Test
  void takesNoSecretThatCouldSayMoreThanAPassword() throws Exception {
    repository.commit("a", "1");

    assertEquals(GitTrouble.NO_SECRET, rig.refused(secret("a\nhost=evil")));
    assertEquals(GitTrouble.NO_SECRET, rig.refused(secret(" ")));
  }

  @Test
  void followsNoRedirectToAnotherServer() throws Exception {
    repository.commit("a", "1");
    try (GitServer other = new GitServer(folder)) {
      rig.server.redirects("http://" + other.host());

      assertEquals(Failure.CLONE_FAILED, rig.refused(secret(SECRET)).code());
      assertEquals(List.of(), other.asked());
    }
  }

  @Test
  void reportsAServerWithoutTheRepositoryAndOneThatIsNotThere() throws Exception {
    assertEquals(
        "The server has no such repository, or does not show it without another credential.",
        rig.refused(rig.order(rig.source("none", null))).message());
    String gone = rig.server.url("shop");
    rig.server.close();
    assertEquals(
        Failure.CLONE_FAILED, rig.refused(rig.order(WorkspaceSource.Git.of(gone, null))).code());
  }

  @Test
  void stopsWhileAServerIsSilent() throws Exception {
    repository.commit("a", "1");
    rig.server.fallsSilent();
    Thread stopper =
        Thread.ofPlatform()
            .start(
                () -> {
                  Signals.until(() -> !rig.server.asked().isEmpty());
                  rig.steps.stop();
                });

    assertEquals(GitTrouble.STOPPED, rig.refused(rig.order(rig.source("shop", null))));
    stopper.join();
    assertEquals(GitTrouble.NO_PROGRAM, rig.refused(rig.order(rig.source("shop", null))));
  }

  @Test
  void refusesMoreBytesOrFilesThanAWorkspaceMayHave() throws Exception {
    repository.write("a", "x".repeat(1000));
    repository.commit("b/c", "y");
    WorkspaceSource.Git source = rig.source("shop", null);

    for (Checkout.Order order :
        List.of(
            new Checkout.Order(source, null, Optional.empty(), rig.folder(), 1000, 100),
            new Checkout.Order(source, null, Optional.empty(), rig.folder(), 10_000, 2))) {
      assertEquals(Failure.WORKSPACE_TOO_LARGE, rig.refused(order).code());
      try (Stream<Path> files = Files.list(order.workspace())) {
        assertEquals(List.of(), files.toList());
      }
    }
    rig.done(new Checkout.Order(source, null, Optional.empty(), rig.folder(), 1001, 3));
  }

  @Test
  void makesAnEmptyTreeForFilesThatComeFromNowhere() throws Exception {
    Origin base = rig.checkouts().empty(rig.folder()).orElseThrow();

    assertEquals("4b825dc642cb6eb9a060e54bf8d69288fbee4904", base.commit());
    assertEquals("", new Repository(base.gitDirectory()).git("ls-tree", base.commit()));
  }

  private String commit(WorkspaceSource.Git source) throws Exception {
    Origin base = rig.done(rig.order(source)).base();
    assertEquals(base.commit(), new Repository(base.workspace()).head());
    return base.commit();
  }

  private Checkout.Order secret(String value) throws IOException {
    WorkspaceSource.Git source =
        new WorkspaceSource.Git(rig.server.url("shop"), null, 1, List.of(), false, false, "GIT");
    return new Checkout.Order(source, null, Optional.of(value), rig.folder());
  }
}
