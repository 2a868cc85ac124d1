package dev.runyard.testkit.git;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A repository for tests, made by git itself: of files, or of objects that git would not make.
public record Repository(Path path) {
  /// Has git do nothing in the background, where it would write while a folder is removed.
  public static final String NO_BACKGROUND = "'gc.auto=0' 'maintenance.auto=false'";

  /// An empty one with a work tree.
  public static Repository create(Path path) {
    try {
      Files.createDirectories(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Repository repository = new Repository(path);
    repository.git("init", "-q", "-b", "main");
    return repository;
  }

  /// Writes a file and commits everything; returns the commit.
  public String commit(String file, String content) {
    write(file, content);
    return commit();
  }

  public void write(String file, String content) {
    try {
      Path target = path.resolve(file);
      Files.createDirectories(target.getParent());
      Files.writeString(target, content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String commit() {
    git("add", "-A");
    git("commit", "-q", "--allow-empty", "-m", "more");
    return head();
  }

  public String head() {
    return git("rev-parse", "HEAD");
  }

  /// One entry of a tree that is written as it is.
  public record Entry(String mode, String name, String id) {}

  public String blob(byte[] content) {
    return run(content, "hash-object", "-w", "-t", "blob", "--stdin");
  }

  /// A tree of these entries, whatever git thinks of it.
  public String tree(List<Entry> entries) {
    ByteArrayOutputStream tree = new ByteArrayOutputStream();
    for (Entry entry : entries) {
      tree.writeBytes((entry.mode() + " " + entry.name()).getBytes(StandardCharsets.UTF_8));
      tree.write(0);
      tree.writeBytes(java.util.HexFormat.of().parseHex(entry.id()));
    }
    return run(tree.toByteArray(), "hash-object", "--literally", "-w", "-t", "tree", "--stdin");
  }

  /// The branch `main` with a commit of this tree.
  public String commitTree(String tree) {
    String commit = git("commit-tree", "-m", "made", tree);
    git("update-ref", "refs/heads/main", commit);
    return commit;
  }

  public String git(String... args) {
    return run(new byte[0], args);
  }

  private String run(byte[] input, String... args) {
    List<String> argv = new ArrayList<>(List.of("git"));
    argv.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(argv).directory(path.toFile());
    builder
        .environment()
        .putAll(
            Map.of(
                "GIT_CONFIG_NOSYSTEM", "1",
                "GIT_CONFIG_GLOBAL", "/dev/null",
                "GIT_CONFIG_PARAMETERS", NO_BACKGROUND,
                "GIT_AUTHOR_NAME", "n",
                "GIT_AUTHOR_EMAIL", "a@b",
                "GIT_COMMITTER_NAME", "n",
                "GIT_COMMITTER_EMAIL", "a@b"));
    try {
      Process process = builder.redirectErrorStream(true).start();
      try (OutputStream in = process.getOutputStream()) {
        in.write(input);
      }
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      assertEquals(0, process.waitFor(), String.join(" ", args) + ": " + said);
      return said;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
