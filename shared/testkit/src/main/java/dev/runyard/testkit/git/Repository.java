package dev.runyard.testkit.git;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.DeflaterOutputStream;

/// A repository for tests, of files that git itself commits, or of objects that git would not make.
public record Repository(Path path) {
  /// Has git do nothing in the background, where it would write while a folder is removed.
  public static final String NO_BACKGROUND = "'gc.auto=0' 'maintenance.auto=false'";

  /// Seconds of commits that git does not make.
  private static final long MADE_AT = 1_700_000_000;

  /// An empty one with a work tree.
  public static Repository create(Path path) {
    try {
      Files.createDirectories(path.resolve(".git/info"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Repository repository = new Repository(path);
    repository.git("init", "-q", "-b", "main", "--template=");
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
    Path git = path.resolve(".git");
    try {
      String head = Files.readString(git.resolve("HEAD")).strip();
      Path ref = git.resolve(head.substring(head.indexOf(' ') + 1));
      return Files.isRegularFile(ref) ? Files.readString(ref).strip() : git("rev-parse", "HEAD");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// One entry of a tree that is written as it is.
  public record Entry(String mode, String name, String id) {}

  public String blob(byte[] content) {
    return object("blob", content);
  }

  /// A tree of these entries, whatever git thinks of it.
  public String tree(List<Entry> entries) {
    ByteArrayOutputStream tree = new ByteArrayOutputStream();
    for (Entry entry : entries) {
      tree.writeBytes((entry.mode() + " " + entry.name()).getBytes(StandardCharsets.UTF_8));
      tree.write(0);
      tree.writeBytes(HexFormat.of().parseHex(entry.id()));
    }
    return object("tree", tree.toByteArray());
  }

  /// The branch `main` with a commit of this tree.
  public String commitTree(String tree) {
    String who = "n <a@b> " + MADE_AT + " +0000\n";
    String text = "tree " + tree + "\nauthor " + who + "committer " + who + "\nmade\n";
    String commit = object("commit", text.getBytes(StandardCharsets.UTF_8));
    write(".git/refs/heads/main", commit + "\n");
    return commit;
  }

  /// Writes an object as git does, but without a process of git for each, and without a look at
  /// what is in it.
  private String object(String type, byte[] content) {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.writeBytes((type + " " + content.length + "\0").getBytes(StandardCharsets.US_ASCII));
    whole.writeBytes(content);
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-1");
      String id = HexFormat.of().formatHex(digest.digest(whole.toByteArray()));
      Path folder =
          Files.createDirectories(path.resolve(".git/objects").resolve(id.substring(0, 2)));
      Path file = folder.resolve(id.substring(2));
      if (!Files.exists(file)) {
        try (OutputStream out = new DeflaterOutputStream(Files.newOutputStream(file))) {
          whole.writeTo(out);
        }
      }
      return id;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  public String git(String... args) {
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
      process.getOutputStream().close();
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
