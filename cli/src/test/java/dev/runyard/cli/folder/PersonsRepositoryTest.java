package dev.runyard.cli.folder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.cli.folder.FolderPatch.Applied;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The patch of a run that began with a commit, on a clone of it.
final class PersonsRepositoryTest {
  private static final String BEFORE = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
  private static final String AFTER = BEFORE.replace("9", "nine");

  @TempDir private Path temporary;
  private Path root;
  private Path patch;
  private String base = "";

  @BeforeEach
  void make() throws Exception {
    root = Files.createDirectory(temporary.resolve("mine")).toRealPath();
    Files.createDirectory(root.resolve("deep"));
    GitCalls.git(root, "init", "--quiet");
    Files.writeString(root.resolve(".gitattributes"), "*.txt text eol=crlf\n");
    Files.writeString(root.resolve("a"), BEFORE);
    Files.writeString(root.resolve("dos.txt"), "one\r\ntwo\r\n");
    commit("first");
    base = GitCalls.git(root, "rev-parse", "HEAD").strip();
    patch = temporary.resolve("run.patch");
    Files.writeString(root.resolve("a"), AFTER);
    Files.writeString(root.resolve("dos.txt"), "one\r\nzwei\r\n");
    Files.writeString(root.resolve("new"), "new\n");
    GitCalls.git(root, "add", "--all");
    GitCalls.git(root, "diff", "--cached", "--binary", "--full-index", "--output=" + patch, "HEAD");
    GitCalls.git(root, "reset", "--quiet", "--hard");
  }

  @Test
  void appliesToTheFilesAsTheAttributesWantThem() throws Exception {
    Files.writeString(root.resolve("other"), "mine\n");

    assertEquals(new Applied.Done(3, List.of(), false), apply());

    assertEquals(AFTER, Files.readString(root.resolve("a")));
    assertEquals("one\r\nzwei\r\n", Files.readString(root.resolve("dos.txt")));
    assertEquals(
        " M a\n M dos.txt\n?? new\n?? other\n",
        GitCalls.git(root, "status", "--porcelain", "--untracked-files=all"));
  }

  @Test
  void mergesAndSaysSoAtAnotherCommit() throws Exception {
    Files.writeString(root.resolve("a"), BEFORE.replace("7", "seven"));
    commit("second");

    assertEquals(new Applied.Done(3, List.of(), true), apply());

    assertEquals(AFTER.replace("7", "seven"), Files.readString(root.resolve("a")));
    assertEquals("one\r\nzwei\r\n", Files.readString(root.resolve("dos.txt")));
  }

  @Test
  void namesWhatIsEditedAndAppliesNothingWhereThatIsInTheWay() throws Exception {
    Files.writeString(root.resolve("a"), "mine\n");
    Files.writeString(root.resolve("new"), "mine too\n");

    assertEquals(new Applied.Conflict(List.of("a", "new")), apply());

    assertEquals("mine\n", Files.readString(root.resolve("a")));
    assertEquals("mine too\n", Files.readString(root.resolve("new")));
    assertEquals("one\r\ntwo\r\n", Files.readString(root.resolve("dos.txt")));
  }

  @Test
  void saysWhatGitRefuses() throws Exception {
    Files.writeString(patch, "no patch\n");

    assertInstanceOf(Applied.Refused.class, apply());
  }

  @Test
  void knowsItsRootAndItsCommits() throws Exception {
    PersonsRepository mine = PersonsRepository.around(root.resolve("deep")).orElseThrow();

    assertEquals(root, mine.root());
    assertTrue(mine.has(base));
    for (String other : List.of("", "0".repeat(40), "--all", "HEAD^{tree}")) {
      assertFalse(mine.has(other), other);
    }
    assertEquals(Optional.empty(), PersonsRepository.around(temporary));
  }

  private Applied apply() throws Exception {
    return new FolderPatch(root, PersonsRepository.around(root).orElseThrow(), true).apply(patch);
  }

  private void commit(String message) throws Exception {
    GitCalls.git(root, "add", "--all");
    GitCalls.git(root, "commit", "--quiet", "-m", message);
  }
}
