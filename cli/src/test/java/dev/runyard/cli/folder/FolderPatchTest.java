package dev.runyard.cli.folder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.cli.folder.FolderPatch.Applied;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FolderPatchTest {
  private static final String BEFORE = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
  private static final String AFTER = BEFORE.replace("9", "nine");

  @TempDir private Path temporary;
  private Path folder;
  private PackedFolder packed;

  @BeforeEach
  void make() throws Exception {
    folder = Files.createDirectories(temporary.resolve("repository/sub")).toRealPath();
    GitCalls.git(temporary.resolve("repository"), "init", "--quiet");
    Files.writeString(folder.resolve("a"), BEFORE);
    Files.writeString(folder.resolve("old"), "moved\n".repeat(10));
    Files.writeString(folder.resolve("dos"), "one\r\ntwo\r\n");
    Files.writeString(folder.resolve("gone"), "gone\n");
    Files.write(folder.resolve("binary"), new byte[] {0, 1, 2});
    Files.writeString(folder.resolve(".gitattributes"), "* text eol=crlf\n");
    packed =
        PackedFolder.pack(
            folder, FolderFiles.of(folder), Files.createFile(temporary.resolve("packed.tar.gz")));
  }

  @Test
  void appliesAllOfItAlsoWhereNothingIsCommitted() throws Exception {
    Path patch =
        patch(
            copy -> {
              Files.writeString(copy.resolve("a"), AFTER);
              Files.move(copy.resolve("old"), copy.resolve("new"));
              Files.writeString(copy.resolve("dos"), "one\r\nzwei\r\n");
              Files.delete(copy.resolve("gone"));
              Files.write(copy.resolve("binary"), new byte[] {0, 9, 9});
              Files.createSymbolicLink(copy.resolve("link"), Path.of("a"));
              Files.createDirectory(copy.resolve("deep"));
              Files.writeString(copy.resolve("deep/a \u00fc\nb"), "odd");
              assertTrue(copy.resolve("a").toFile().setExecutable(true));
            });

    assertInstanceOf(Applied.Done.class, apply(patch));

    assertEquals(AFTER, Files.readString(folder.resolve("a")));
    assertTrue(Files.isExecutable(folder.resolve("a")));
    assertFalse(Files.exists(folder.resolve("old")));
    assertTrue(Files.exists(folder.resolve("new")));
    assertEquals("one\r\nzwei\r\n", Files.readString(folder.resolve("dos")));
    assertFalse(Files.exists(folder.resolve("gone")));
    assertEquals(9, Files.readAllBytes(folder.resolve("binary"))[1]);
    assertEquals(Path.of("a"), Files.readSymbolicLink(folder.resolve("link")));
    assertEquals("odd", Files.readString(folder.resolve("deep/a \u00fc\nb")));
  }

  @Test
  void leavesEverythingAloneWhereThePersonEditedTheSamePlaces() throws Exception {
    Path patch =
        patch(
            copy -> {
              Files.writeString(copy.resolve("a"), AFTER);
              Files.writeString(copy.resolve("dos"), "one\r\nzwei\r\n");
            });
    String mine = BEFORE.replace("9", "mine");
    Files.writeString(folder.resolve("a"), mine);

    assertEquals(new Applied.Conflict(List.of("a")), apply(patch));

    assertEquals(mine, Files.readString(folder.resolve("a")));
    assertEquals("one\r\ntwo\r\n", Files.readString(folder.resolve("dos")));
  }

  @Test
  void keepsEditsAtOtherPlacesAndSaysSo() throws Exception {
    Path patch = patch(copy -> Files.writeString(copy.resolve("a"), AFTER));
    Files.writeString(folder.resolve("a"), "zero\n" + BEFORE);

    assertEquals(new Applied.Done(1, List.of("a"), false), apply(patch));

    assertEquals("zero\n" + AFTER, Files.readString(folder.resolve("a")));
  }

  @Test
  void mergesEditsNearWhatTheRunChanged() throws Exception {
    commit();
    Path patch = patch(copy -> Files.writeString(copy.resolve("a"), AFTER));
    Files.writeString(folder.resolve("a"), BEFORE.replace("7", "seven"));

    assertEquals(new Applied.Done(1, List.of("a"), true), apply(patch));

    assertEquals(AFTER.replace("7", "seven"), Files.readString(folder.resolve("a")));
    assertEquals(
        "", GitCalls.git(temporary.resolve("repository"), "diff", "--cached", "--name-only"));
  }

  @Test
  void mergesWhatTheRunDeletedAndMadeToo() throws Exception {
    commit();
    Path patch =
        patch(
            copy -> {
              Files.writeString(copy.resolve("a"), AFTER);
              Files.delete(copy.resolve("gone"));
              Files.writeString(copy.resolve("dos"), "one\r\nzwei\r\n");
              Files.writeString(copy.resolve("new"), "new\n");
            });
    Files.writeString(folder.resolve("a"), BEFORE.replace("7", "seven"));

    assertInstanceOf(Applied.Done.class, apply(patch));

    assertEquals(AFTER.replace("7", "seven"), Files.readString(folder.resolve("a")));
    assertEquals("one\r\nzwei\r\n", Files.readString(folder.resolve("dos")));
    assertFalse(Files.exists(folder.resolve("gone")));
    assertEquals("new\n", Files.readString(folder.resolve("new")));
  }

  @Test
  void leavesNoMarksWhereAMergeConflicts() throws Exception {
    commit();
    Path patch =
        patch(
            copy -> {
              Files.writeString(copy.resolve("a"), AFTER);
              Files.writeString(copy.resolve("new"), "new\n");
            });
    String mine = BEFORE.replace("9", "mine");
    Files.writeString(folder.resolve("a"), mine);

    assertEquals(new Applied.Conflict(List.of("a")), apply(patch));

    assertEquals(mine, Files.readString(folder.resolve("a")));
    assertFalse(Files.exists(folder.resolve("new")));
  }

  @Test
  void replacesNoFileThatThePersonMadeMeanwhile() throws Exception {
    Path patch = patch(copy -> Files.writeString(copy.resolve("new"), "of the run\n"));
    Files.writeString(folder.resolve("new"), "mine\n");

    assertEquals(new Applied.Conflict(List.of("new")), apply(patch));

    assertEquals("mine\n", Files.readString(folder.resolve("new")));
  }

  @Test
  void leavesTheFolderForNoPatch() throws Exception {
    Path outside = temporary.resolve("repository/outside");
    for (String path : List.of("../outside", ".git/hooks/x", outside.toString())) {
      Path patch = temporary.resolve("hostile.patch");
      Files.writeString(
          patch,
          """
          diff --git a/%1$s b/%1$s
          new file mode 100644
          --- /dev/null
          +++ b/%1$s
          @@ -0,0 +1 @@
          +x
          """
              .formatted(path));

      assertInstanceOf(Applied.Refused.class, apply(patch), path);
    }
    Files.createSymbolicLink(folder.resolve("out"), temporary);
    Path through = temporary.resolve("through.patch");
    Files.writeString(
        through,
        """
        diff --git a/out/file b/out/file
        new file mode 100644
        --- /dev/null
        +++ b/out/file
        @@ -0,0 +1 @@
        +x
        """);
    assertFalse(apply(through) instanceof Applied.Done);
    assertFalse(Files.exists(outside));
    assertFalse(Files.exists(temporary.resolve("file")));
  }

  /// Without regard to attributes, as a runner makes a patch of it.
  private void commit() throws Exception {
    Path repository = temporary.resolve("repository");
    Files.writeString(repository.resolve(".git/info/attributes"), "* -text\n");
    GitCalls.git(repository, "add", "--all");
    GitCalls.git(repository, "commit", "--quiet", "-m", "first");
    Files.delete(repository.resolve(".git/info/attributes"));
  }

  private Applied apply(Path patch) throws Exception {
    return new FolderPatch(folder, new PackedEdits(packed), false).apply(patch);
  }

  private Path patch(RunPatch.Change change) throws Exception {
    return RunPatch.of(packed, temporary, change);
  }
}
