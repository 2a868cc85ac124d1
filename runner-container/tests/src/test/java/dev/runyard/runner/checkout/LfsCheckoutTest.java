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
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Repositories with files that Git LFS keeps.
final class LfsCheckoutTest {
  private static final String SECRET = "canary-of-the-credential";
  private static final byte[] CONTENT = new byte[200_000];

  @TempDir private Path folder;
  private CheckoutRig rig;
  private LfsService lfs;
  private Repository repository;

  @BeforeEach
  void open() throws IOException {
    new Random(1).nextBytes(CONTENT);
    rig = new CheckoutRig(folder);
    lfs = new LfsService(rig.server);
    repository = rig.repository("shop");
    repository.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
  }

  @AfterEach
  void close() {
    lfs.close();
    rig.close();
  }

  @Test
  void writesContentsWhereTheTreeHasTheirPointers() throws Exception {
    String pointer = lfs.keeps(CONTENT);
    repository.write("a.bin", pointer);
    repository.write("in/größe b.bin", pointer);
    repository.write("none.bin", "no pointer\n");
    repository.write("empty.bin", lfs.keeps(new byte[0]));
    repository.write("pointer.txt", pointer);
    assertTrue(repository.path().resolve("a.bin").toFile().setExecutable(true));
    repository.commit();

    Checkout.Result.Done done = rig.done(order());

    Path workspace = done.base().workspace();
    assertArrayEquals(CONTENT, Files.readAllBytes(workspace.resolve("a.bin")));
    assertArrayEquals(CONTENT, Files.readAllBytes(workspace.resolve("in/größe b.bin")));
    assertTrue(Files.isExecutable(workspace.resolve("a.bin")));
    assertEquals(0, Files.size(workspace.resolve("empty.bin")));
    assertEquals("no pointer\n", Files.readString(workspace.resolve("none.bin")));
    assertEquals(pointer, Files.readString(workspace.resolve("pointer.txt")));
    assertEquals("", new Repository(workspace).git("status", "--porcelain"));
    assertEquals(List.of(), done.warnings());
    assertTrue(done.facts().bytes() > 2L * CONTENT.length, done.facts().toString());
    assertEquals(1, lfs.asked().stream().filter(path -> path.endsWith("batch")).count());
    assertEquals(2, lfs.asked().stream().filter(path -> path.startsWith("/content")).count());
    assertFalse(Files.exists(done.base().gitDirectory().resolveSibling("lfs")));
  }

  @Test
  void leavesPointersUnlessTheirContentsAreAskedFor() throws Exception {
    String pointer = lfs.keeps(CONTENT);
    repository.commit("a.bin", pointer);

    Path workspace = rig.done(rig.order(rig.source("shop", null))).base().workspace();

    assertEquals(pointer, Files.readString(workspace.resolve("a.bin")));
    assertEquals(List.of(), lfs.asked());
  }

  @Test
  void saysWhichPointersStay() throws Exception {
    String gone = LfsService.pointer("0".repeat(64), 5);
    repository.write("b.bin", lfs.keeps(CONTENT));
    repository.commit("a.bin", gone);

    Checkout.Result.Done done = rig.done(order());

    Path workspace = done.base().workspace();
    assertEquals(gone, Files.readString(workspace.resolve("a.bin")));
    assertArrayEquals(CONTENT, Files.readAllBytes(workspace.resolve("b.bin")));
    assertEquals("lfs_pointers_left", done.warnings().getFirst().code());
    assertTrue(done.warnings().getFirst().message().endsWith(": a.bin"));
  }

  @Test
  void asksTheRepositorysOwnServerWhateverItsSettingsSay() throws Exception {
    try (GitServer evil = new GitServer(folder)) {
      repository.write(
          ".lfsconfig",
          "[lfs]\n\turl = %s\n\tcustomtransfer.x.path = touch\n".formatted(evil.url("x")));
      repository.commit("a.bin", lfs.keeps(CONTENT));

      rig.done(order());

      assertEquals(List.of(), evil.asked());
    }
  }

  @Test
  void showsTheCredentialToItsOwnServerAndLeavesItNowhere() throws Exception {
    lfs.wants("x-access-token:" + SECRET);
    repository.commit("a.bin", lfs.keeps(CONTENT));

    Failure failure = rig.refused(order());
    assertEquals(Failure.CLONE_FAILED, failure.code());
    assertTrue(failure.message().contains("another credential"), failure.message());
    rig.done(secret());

    try (Stream<Path> files = Files.walk(folder.resolve("made"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertFalse(
            new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(SECRET),
            file.toString());
      }
    }
  }

  @Test
  void fetchesFromNoPlaceThatTheOperatorDoesNotList() throws Exception {
    try (GitServer other = new GitServer(folder)) {
      repository.commit("a.bin", lfs.keeps(CONTENT));
      for (UnaryOperator<String> place :
          List.<UnaryOperator<String>>of(
              it -> it.replace(rig.server.host(), other.host()),
              it -> it.replace("http://" + rig.server.host(), "https://nowhere.example"),
              it -> it.replace("http://", "http://user:pw@"),
              _ -> "file:///etc/passwd",
              _ -> "http://169.254.169.254/latest",
              _ -> "not an address",
              _ -> "")) {
        lfs.names(place);
        assertEquals(LfsTrouble.PLACE, rig.refused(secret()), place.apply("x"));
      }
      assertEquals(List.of(), other.asked());
    }
  }

  @Test
  void followsPlacesThatSendOnWithinBounds() throws Exception {
    repository.commit("a.bin", lfs.keeps(CONTENT));
    lfs.names(it -> it.replace("/content/", "/away/"));
    rig.done(order());

    lfs.sendsOn(it -> it.replace("/content/", "/away/"));
    assertEquals(LfsTrouble.PLACE, rig.refused(order()));
    lfs.sendsOn(_ -> "http://169.254.169.254/latest");
    assertEquals(LfsTrouble.PLACE, rig.refused(order()));
  }

  @Test
  void takesNoOtherContentThanThePointersSay() throws Exception {
    String pointer = lfs.keeps(CONTENT);
    repository.commit("a.bin", pointer);
    for (byte[] other :
        List.of(new byte[CONTENT.length], new byte[CONTENT.length + 1], new byte[10])) {
      lfs.exchanges(pointer, other);

      Checkout.Order order = order();
      assertEquals(LfsTrouble.OTHER_CONTENT, rig.refused(order));
      assertEquals(pointer, Files.readString(order.workspace().resolve("a.bin")));
    }
  }

  @Test
  void countsContentsLikeOtherFiles() throws Exception {
    repository.commit("a.bin", lfs.keeps(CONTENT));
    Checkout.Order order =
        new Checkout.Order(source(null), null, Optional.empty(), rig.folder(), 100_000, 100);

    assertEquals(Failure.WORKSPACE_TOO_LARGE, rig.refused(order).code());
    repository.commit("a.bin", LfsService.pointer("1".repeat(64), 999_999_999_999_999_999L));
    assertEquals(Failure.WORKSPACE_TOO_LARGE, rig.refused(order()).code());
    assertEquals(List.of(), lfs.asked());
  }

  @Test
  void stopsWhileAServerIsSilent() throws Exception {
    repository.commit("a.bin", lfs.keeps(CONTENT));
    lfs.fallsSilent();
    Thread stopper =
        Thread.ofPlatform()
            .start(
                () -> {
                  Signals.until(
                      () -> lfs.asked().stream().anyMatch(path -> path.startsWith("/content")));
                  rig.steps.stop();
                });

    assertEquals(GitTrouble.STOPPED, rig.refused(order()));
    stopper.join();
  }

  @Test
  void endsWhenItsTimeIsOver() throws Exception {
    repository.commit("a.bin", lfs.keeps(CONTENT));
    rig.leavesNoTimeAfter(() -> lfs.asked().stream().anyMatch(path -> path.startsWith("/content")));
    lfs.fallsSilent();

    assertEquals(GitTrouble.SLOW, rig.refused(order()));
  }

  private WorkspaceSource.Git source(@Nullable String credential) {
    return new WorkspaceSource.Git(
        rig.server.url("shop"), null, 1, List.of(), false, true, credential);
  }

  private Checkout.Order order() throws IOException {
    return rig.order(source(null));
  }

  private Checkout.Order secret() throws IOException {
    return new Checkout.Order(source("GIT"), null, Optional.of(SECRET), rig.folder());
  }
}
