package dev.runyard.cli.folder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.cli.folder.FolderPatch.Applied;
import dev.runyard.needs.Program;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Patches that git begins to write, or would begin to write, and cannot finish.
final class FolderPatchFailuresTest {
  private static final String MINE = "my uncommitted work\n";

  @TempDir private Path temporary;
  private Path folder;
  private PackedFolder packed;

  @BeforeEach
  void make() throws Exception {
    folder = Files.createDirectory(temporary.resolve("p")).toRealPath();
    GitCalls.git(folder, "init", "--quiet");
    Files.createDirectories(folder.resolve("d"));
    Files.createDirectories(folder.resolve("deep/er"));
    Files.writeString(folder.resolve("n.txt"), "1\n");
    Files.writeString(folder.resolve(".gitignore"), "*.log\n");
    Files.writeString(folder.resolve("d/u"), "old\n");
    Files.writeString(folder.resolve("deep/er/only"), "alone \u00fc\n".repeat(20));
    Files.createSymbolicLink(folder.resolve("link"), Path.of("n.txt"));
    GitCalls.git(folder, "add", "--all");
    GitCalls.git(folder, "commit", "--quiet", "-m", "first");
    Files.writeString(folder.resolve("d/u"), MINE);
    packed =
        PackedFolder.pack(
            folder, FolderFiles.of(folder), Files.createFile(temporary.resolve("packed.tar.gz")));
  }

  @Test
  void refusesAFileInPlaceOfAFolderWithMoreInIt() throws Exception {
    Path patch = patch(copy -> Files.writeString(emptied(copy), "f\n"));
    Files.writeString(folder.resolve("d/x.log"), "x\n");
    SortedMap<String, String> before = state();

    assertEquals(new Applied.InTheWay(List.of("d/x.log")), apply(patch, "git"));

    assertEquals(before, state());
  }

  @Test
  void refusesALinkInPlaceOfAFolderWithMoreInIt() throws Exception {
    Path patch = patch(copy -> Files.createSymbolicLink(emptied(copy), Path.of("deep")));
    Files.createDirectories(folder.resolve("d/empty"));
    Files.writeString(folder.resolve("d/x.log"), "x\n");
    SortedMap<String, String> before = state();

    assertEquals(new Applied.InTheWay(List.of("d/empty", "d/x.log")), apply(patch, "git"));

    assertEquals(before, state());
  }

  @Test
  void refusesAFolderInPlaceOfAFileOfThePersons() throws Exception {
    Path patch =
        patch(
            copy -> {
              Files.createDirectory(copy.resolve("zz"));
              Files.writeString(copy.resolve("zz/a"), "a\n");
              Files.writeString(copy.resolve("n.txt"), "x\n");
            });
    Files.writeString(folder.resolve("zz"), "mine\n");
    SortedMap<String, String> before = state();

    assertEquals(new Applied.InTheWay(List.of("zz")), apply(patch, "git"));

    assertEquals(before, state());
  }

  @Test
  void putsAFileInPlaceOfAFolderAndCallsThatNoEdit() throws Exception {
    Path patch = patch(copy -> Files.writeString(emptied(copy), "f\n"));

    assertEquals(new Applied.Done(2, List.of(), false), apply(patch, "git"));

    assertEquals("f\n", Files.readString(folder.resolve("d")));
    assertFalse(Files.exists(folder.resolve(".git/runyard-apply")));
  }

  @Test
  void appliesAllOrNothingWhereAFolderMayNotBeWritten() throws Exception {
    Path patch =
        patch(
            copy -> {
              Files.writeString(copy.resolve("d/u"), "of the run\n");
              Files.writeString(copy.resolve("deep/er/only"), "of the run\n");
              Files.delete(copy.resolve("n.txt"));
            });
    Files.setPosixFilePermissions(
        folder.resolve("deep/er"), PosixFilePermissions.fromString("r-xr-xr-x"));
    SortedMap<String, String> before = state();

    boolean done = apply(patch, "git") instanceof Applied.Done;

    if (!done) {
      assertEquals(before, state());
    }
    assertEquals(done ? "of the run\n" : MINE, Files.readString(folder.resolve("d/u")));
    assertEquals(!done, Files.exists(folder.resolve("n.txt")));
    Files.setPosixFilePermissions(
        folder.resolve("deep/er"), PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void putsEverythingBackWhenGitDiesWhileItWrites() throws Exception {
    Path patch = everything();
    Files.setPosixFilePermissions(
        folder.resolve("d/u"), PosixFilePermissions.fromString("rw-------"));
    Files.setPosixFilePermissions(
        folder.resolve("deep/er"), PosixFilePermissions.fromString("rwx------"));
    SortedMap<String, String> before = state();
    Path full = git("ulimit -f 1; exec git \"$@\"");

    assertInstanceOf(Applied.Refused.class, apply(patch, full.toString()));

    assertEquals(before, state());
    assertFalse(Files.exists(folder.resolve(".git/runyard-apply")));
    assertEquals(new Applied.Done(7, List.of(), false), apply(patch, "git"));
    assertNotEquals(before, state());
  }

  @Test
  void putsEverythingBackThatGitHadWritten() throws Exception {
    Path patch = everything();
    SortedMap<String, String> before = state();

    assertInstanceOf(Applied.Refused.class, apply(patch, git("git \"$@\"; exit 1").toString()));

    assertEquals(before, state());
  }

  @Test
  void writesThroughNoLinkAndNamesWhatItKept() throws Exception {
    Path patch = everything();
    Path outside = Files.createDirectories(temporary.resolve("outside/er"));
    Path linking =
        git(
            "rm -r deep; ln -s '%s' deep; rm n.txt; exit 1"
                .formatted(temporary.resolve("outside")));

    Applied.Broken broken =
        assertInstanceOf(Applied.Broken.class, apply(patch, linking.toString()));

    assertFalse(Files.exists(outside.resolve("only")));
    assertEquals("1\n", Files.readString(folder.resolve("n.txt")));
    assertTrue(Files.readString(broken.before().resolve("deep/er/only")).startsWith("alone"));
    assertEquals(new Applied.Unfinished(broken.before(), folder), apply(patch, "git"));
  }

  @Test
  void leavesWhatItKeptToTheNextOneWhenItIsKilled() throws Exception {
    Path patch = everything();
    Path killing = git("rm d/u n.txt; kill -9 $PPID");
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                ApplyingProcess.class.getName(),
                folder.toString(),
                patch.toString(),
                killing.toString())
            .inheritIO()
            .start();
    assertEquals(137, process.waitFor());
    assertFalse(Files.exists(folder.resolve("d/u")));

    Applied.Unfinished left = assertInstanceOf(Applied.Unfinished.class, apply(patch, "git"));

    assertEquals(folder, left.folder());
    assertEquals(MINE, Files.readString(left.before().resolve("d/u")));
    assertEquals("1\n", Files.readString(left.before().resolve("n.txt")));
    assertEquals(Path.of("n.txt"), Files.readSymbolicLink(left.before().resolve("link")));
    GitCalls.git(folder, "status");
  }

  @Test
  void leavesAFolderToTheCommandThatHasIt() throws Exception {
    Path patch = everything();
    Path meanwhile = temporary.resolve("meanwhile");
    Path waiting =
        git("touch '%1$s'; while [ -e '%1$s' ]; do :; done; git \"$@\"".formatted(meanwhile));
    FutureTask<Applied> first = new FutureTask<>(() -> apply(patch, waiting.toString()));
    Thread thread = Thread.ofPlatform().start(first);
    while (!Files.exists(meanwhile)) {
      Thread.onSpinWait();
    }

    assertEquals(new Applied.Taken(), apply(patch, "git"));

    Files.delete(meanwhile);
    assertInstanceOf(Applied.Done.class, first.get());
    thread.join();
  }

  /// A change of every kind, one of them large.
  private Path everything() throws Exception {
    return patch(
        copy -> {
          Files.writeString(emptied(copy), "f\n");
          Files.createDirectory(copy.resolve("moved"));
          Files.move(copy.resolve("deep/er/only"), copy.resolve("moved/only"));
          Files.delete(copy.resolve("link"));
          Files.writeString(copy.resolve("link"), "a file\n");
          Files.delete(copy.resolve("n.txt"));
          Files.createDirectory(copy.resolve("n.txt"));
          Files.writeString(copy.resolve("n.txt/in"), "in\n");
          Files.createDirectories(copy.resolve("new/er"));
          Files.writeString(copy.resolve("new/er/file"), "large\n".repeat(20_000));
        });
  }

  private static Path emptied(Path copy) throws Exception {
    Files.delete(copy.resolve("d/u"));
    Files.delete(copy.resolve("d"));
    return copy.resolve("d");
  }

  /// A git that is another when it is to write the files.
  private Path git(String writing) throws Exception {
    Path script = temporary.resolve("git-of-the-test");
    Program.write(
        script,
        """
        #!/bin/sh
        case "$* " in
          *" --check "* | *" --numstat "* | *" --cached "*) ;;
          *" apply "*) %s
            exit ;;
        esac
        exec git "$@"
        """
            .formatted(writing));
    return script;
  }

  private Applied apply(Path patch, String program) throws Exception {
    return new FolderPatch(folder, new PackedEdits(packed), false, program).apply(patch);
  }

  private Path patch(RunPatch.Change change) throws Exception {
    return RunPatch.of(packed, temporary, change);
  }

  /// Everything in the folder with its mode and content, but for the git directory.
  private SortedMap<String, String> state() throws Exception {
    SortedMap<String, String> state = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(path -> !path.startsWith(folder.resolve(".git"))).toList()) {
        String content = "";
        if (Files.isSymbolicLink(file)) {
          content = "-> " + Files.readSymbolicLink(file);
        } else if (Files.isRegularFile(file)) {
          content = Files.readString(file);
        }
        state.put(
            folder.relativize(file).toString(),
            Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS) + content);
      }
    }
    return state;
  }
}
