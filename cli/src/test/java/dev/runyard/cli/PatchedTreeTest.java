package dev.runyard.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.cli.PatchedTree.Applied;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PatchedTreeTest {
  @TempDir private Path repository;
  private String base = "";
  private byte[] patch = {};

  @BeforeEach
  void changeAFile() throws Exception {
    git("init", "--quiet");
    Files.writeString(repository.resolve("a"), "1\n2\n3\n4\n5\n6\n");
    Files.writeString(repository.resolve("b"), "b\n");
    git("add", "--all");
    git("commit", "--quiet", "-m", "first");
    base = git("rev-parse", "HEAD").strip();
    Files.writeString(repository.resolve("a"), "1\n2\n3\n4\n5\nsix\n");
    Files.writeString(repository.resolve("new"), "new\n");
    git("add", "--all");
    patch = git("diff", "--cached", "--binary", "--full-index").getBytes(UTF_8);
    git("reset", "--quiet", "--hard");
  }

  @Test
  void appliesToTheWorkingTreeAndTheIndex() throws Exception {
    Files.writeString(repository.resolve("b"), "my own edit\n");

    assertEquals(new Applied.Done(false), new PatchedTree(repository).apply(patch, base));

    assertEquals("1\n2\n3\n4\n5\nsix\n", Files.readString(repository.resolve("a")));
    assertEquals("my own edit\n", Files.readString(repository.resolve("b")));
    assertEquals("M  a\n M b\nA  new\n", git("status", "--porcelain"));
  }

  @Test
  void leavesFilesAloneThatWereChangedSince() throws Exception {
    Files.writeString(repository.resolve("a"), "mine\n");
    Files.writeString(repository.resolve("new"), "mine too\n");

    assertEquals(
        new Applied.Changed(List.of("a", "new")), new PatchedTree(repository).apply(patch, base));

    assertEquals("mine\n", Files.readString(repository.resolve("a")));
    assertEquals("mine too\n", Files.readString(repository.resolve("new")));
  }

  @Test
  void mergesAndSaysSoAtAnotherCommit() throws Exception {
    Files.writeString(repository.resolve("a"), "one\n2\n3\n4\n5\n6\n");
    git("commit", "--quiet", "--all", "-m", "second");

    assertEquals(new Applied.Done(true), new PatchedTree(repository).apply(patch, base));

    assertEquals("one\n2\n3\n4\n5\nsix\n", Files.readString(repository.resolve("a")));
  }

  @Test
  void saysWhatGitRefuses() throws Exception {
    assertInstanceOf(
        Applied.Refused.class,
        new PatchedTree(repository).apply("no patch\n".getBytes(UTF_8), base));
  }

  private String git(String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("git", "-c", "user.name=Test", "-c", "user.email=t@example.org"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .directory(repository.toFile())
            .redirectErrorStream(true)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, process.waitFor(), printed);
    return printed;
  }
}
