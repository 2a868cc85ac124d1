package dev.runyard.runner.change;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.runner.checkout.Origin;
import dev.runyard.testkit.git.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// A small repository, a workspace that was made from it, and clean clones to try patches on.
final class OriginRepository {
  private final Path folder;
  private final Path bare;
  private final String commit;
  private final Path cloned;

  OriginRepository(Path folder) throws IOException {
    this.folder = folder;
    Path first = Files.createDirectory(folder.resolve("first"));
    Files.writeString(first.resolve("a.txt"), "one\ntwo\nthree\n");
    Files.createDirectories(first.resolve("dir/deep"));
    Files.writeString(first.resolve("dir/b.txt"), "b\n".repeat(50));
    Files.writeString(first.resolve("dir/deep/c.txt"), "c\n");
    Files.writeString(first.resolve("windows.cmd"), "echo one\r\necho two\r\n");
    Files.writeString(first.resolve("raw.bat"), "kept\r\nas it is\r\n");
    Files.write(first.resolve("image.bin"), new byte[] {0, 1, 2, 3, (byte) 0xff, 0, 10});
    Files.writeString(first.resolve("run.sh"), "#!/bin/sh\n");
    Files.setPosixFilePermissions(
        first.resolve("run.sh"), PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createSymbolicLink(first.resolve("link"), Path.of("a.txt"));
    Files.writeString(first.resolve(".gitignore"), "ignored/\n*.log\n!kept.log\n");
    Files.writeString(
        first.resolve(".gitattributes"), "*.txt text\n*.cmd text eol=crlf\n*.bat -text\n");
    Files.writeString(first.resolve("sp ace\tnäme\n.md"), "odd name\n");
    git(first, "init", "--quiet", "--initial-branch=main");
    git(first, "add", "--all");
    git(first, "commit", "--quiet", "-m", "first");
    this.bare = folder.resolve("bare.git");
    git(folder, "clone", "--quiet", "--bare", first.toString(), bare.toString());
    this.commit = git(bare, "rev-parse", "HEAD").strip();
    this.cloned = clone("cloned");
  }

  private OriginRepository(Path folder, OriginRepository same) {
    this.folder = folder;
    this.bare = same.bare;
    this.commit = same.commit;
    this.cloned = same.cloned;
  }

  /// The same repository, with its workspaces and clones in another folder.
  OriginRepository in(Path other) {
    return new OriginRepository(other, this);
  }

  /// A workspace with the files of the commit, and the runner's own git directory.
  Origin base(String name) throws IOException {
    Path workspace = folder.resolve(name);
    try (Stream<Path> files = Files.walk(cloned)) {
      for (Path file : files.toList()) {
        Files.copy(
            file,
            workspace.resolve(cloned.relativize(file).toString()),
            StandardCopyOption.COPY_ATTRIBUTES,
            LinkOption.NOFOLLOW_LINKS);
      }
    }
    return new Origin(bare, commit, workspace);
  }

  /// A clean clone.
  Path clone(String name) throws IOException {
    Path made = folder.resolve(name);
    git(folder, "clone", "--quiet", bare.toString(), made.toString());
    return made;
  }

  /// Applies a patch as people do; returns the id of the tree.
  String applied(Path patch, String name) throws IOException {
    Path clean = clone(name);
    if (Files.size(patch) > 0) {
      git(clean, "apply", "--index", patch.toString());
    }
    return git(clean, "write-tree").strip().lines().toList().getLast();
  }

  static String git(Path in, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "git",
                "-c",
                "user.name=Test",
                "-c",
                "user.email=test@example.org",
                "-c",
                "commit.gpgsign=false"));
    command.addAll(List.of(arguments));
    return run(in, command);
  }

  static String run(Path in, List<String> command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(in.toFile()).redirectErrorStream(true);
    builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
    builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
    builder.environment().put("GIT_TEMPLATE_DIR", "");
    builder.environment().put("GIT_CONFIG_PARAMETERS", Repository.NO_BACKGROUND);
    Process process = builder.start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      assertEquals(0, process.waitFor(), printed);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
    return printed;
  }
}
