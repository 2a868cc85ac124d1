package dev.runyard.runner.workspace;

import static dev.runyard.runner.workspace.Workspace.AbsolutePaths.ALLOWED;
import static dev.runyard.runner.workspace.Workspace.AbsolutePaths.REFUSED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.runner.process.RunMark;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WorkspaceTest {

  private static final RunMark MARK = new RunMark("run", "1");

  @TempDir private Path directory;
  private Path root;
  private Path outside;
  private Workspace workspace;

  @BeforeEach
  void create() throws IOException {
    root = directory.resolve("runs");
    outside = Files.createDirectory(directory.resolve("outside"));
    Files.writeString(outside.resolve("precious"), "x");
    workspace = Workspace.create(root, MARK);
  }

  @Test
  void isEmptyAndItsOwnersAlone() throws IOException {
    assertEquals(root.toRealPath().resolve("run.1"), workspace.path());
    assertEquals(List.of(), entries(workspace.path()));
    for (Path made : List.of(root, workspace.path())) {
      assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(made)));
    }
  }

  @Test
  void isNeverTheOneOfAnotherAttempt() throws IOException {
    assertThrows(FileAlreadyExistsException.class, () -> Workspace.create(root, MARK));
    Path next = Workspace.create(root, new RunMark("run", "2")).path();
    assertEquals(root.toRealPath().resolve("run.2"), next);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "sub", "sub/deep/er", "./sub/", "...", "a b", "-rf", "~"})
  void grantsAndMakesWhatLiesInside(String requested) throws IOException {
    Path granted = granted(workspace.workingDir(requested, REFUSED));

    assertEquals(workspace.path().resolve(requested).normalize(), granted);
    assertTrue(Files.isDirectory(granted));
  }

  @ParameterizedTest
  @ValueSource(strings = {"..", "../outside", "sub/..", "sub/../../outside", "/../etc", "a\0b"})
  void refusesPathsThatClimbOrAreNone(String requested) throws IOException {
    assertInstanceOf(WorkingDir.Refused.class, workspace.workingDir(requested, REFUSED));
    assertInstanceOf(WorkingDir.Refused.class, workspace.workingDir(requested, ALLOWED));
    assertEquals(List.of(), entries(workspace.path()));
  }

  @Test
  void takesAbsolutePathsWhereAllowedOnly() throws IOException {
    String absolute = outside.toString();

    assertEquals(
        new WorkingDir.Refused("the path is absolute"), workspace.workingDir(absolute, REFUSED));
    assertEquals(outside.toRealPath(), granted(workspace.workingDir(absolute, ALLOWED)));
    assertEquals(
        new WorkingDir.Refused("the path is not a directory"),
        workspace.workingDir(absolute + "/missing", ALLOWED));
  }

  @Test
  void refusesLinksThatLeadOutside() throws IOException {
    link("out", outside);
    link("up", Path.of(".."));
    link("sibling", root.toRealPath().resolve("run.1x"));
    Files.createDirectory(root.resolve("run.1x"));
    link("dangling", Path.of("nowhere"));
    link("loop", Path.of("loop"));

    for (String requested :
        List.of("out", "out/new", "up", "up/run.1", "sibling", "dangling", "dangling/x", "loop")) {
      assertInstanceOf(
          WorkingDir.Refused.class, workspace.workingDir(requested, REFUSED), requested);
    }
    assertEquals(List.of("precious"), entries(outside));
  }

  @Test
  void followsLinksThatStayInside() throws IOException {
    granted(workspace.workingDir("real/deep", REFUSED));
    link("inside", Path.of("real"));

    assertEquals(
        workspace.path().resolve("real/deep"),
        granted(workspace.workingDir("inside/deep", REFUSED)));
  }

  @Test
  void refusesWhatIsNoDirectoryOrCannotBe() throws IOException {
    Files.writeString(workspace.path().resolve("file"), "x");

    for (String requested : List.of("file", "file/sub", "x".repeat(300))) {
      assertInstanceOf(
          WorkingDir.Refused.class, workspace.workingDir(requested, REFUSED), requested);
    }
  }

  @Test
  void isRemovedWithAllInItAndNothingElse() throws IOException {
    Path deep = granted(workspace.workingDir("a/b/c", REFUSED));
    Files.writeString(deep.resolve("file"), "x");
    Files.createLink(deep.resolve("hard"), outside.resolve("precious"));
    link("out", outside);
    Files.createSymbolicLink(deep.resolve("file-link"), outside.resolve("precious"));
    for (int i = 0; i < 500; i++) {
      Files.createFile(deep.resolve("f" + i));
      Files.createDirectory(deep.resolve(Integer.toString(i)));
    }

    assertEquals(List.of(), workspace.clean());

    assertEquals(List.of(), entries(root));
    assertEquals("x", Files.readString(outside.resolve("precious")));
  }

  @Test
  void isRemovedWhenDirectoriesAreLocked() throws IOException {
    Path locked = granted(workspace.workingDir("cache/module", REFUSED));
    Files.writeString(locked.resolve("file"), "x");
    Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("r-xr-xr-x"));
    Files.setPosixFilePermissions(locked.getParent(), PosixFilePermissions.fromString("---------"));

    assertEquals(List.of(), workspace.clean());
    assertEquals(List.of(), entries(root));
  }

  @Test
  void isRemovedHoweverDeepItIs() throws IOException {
    Path top = workspace.path().resolve("top");
    for (int joint = 0; joint < 40; joint++) {
      Path chain = Files.createDirectories(workspace.path().resolve("next" + "/d".repeat(100)));
      if (Files.exists(top)) {
        Files.move(top, chain.resolve("d"));
      }
      Files.move(workspace.path().resolve("next"), top);
    }

    assertEquals(List.of(), workspace.clean());
    assertEquals(List.of(), entries(root));
  }

  @Test
  void isRemovedAsALinkWhenItWasReplacedByOne() throws IOException {
    Files.delete(workspace.path());
    Files.createSymbolicLink(workspace.path(), outside);

    assertEquals(List.of(), workspace.clean());

    assertEquals(List.of(), entries(root));
    assertEquals(List.of("precious"), entries(outside));
  }

  @Test
  void mayBeRemovedTwice() throws IOException {
    assertEquals(List.of(), workspace.clean());
    assertEquals(List.of(), workspace.clean());
    assertFalse(Files.exists(workspace.path()));
  }

  private void link(String name, Path target) throws IOException {
    Files.createSymbolicLink(workspace.path().resolve(name), target);
  }

  private static Path granted(WorkingDir answer) {
    return assertInstanceOf(WorkingDir.Granted.class, answer).path();
  }

  private static List<String> entries(Path of) throws IOException {
    try (Stream<Path> entries = Files.list(of)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    }
  }
}
