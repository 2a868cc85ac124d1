package dev.runyard.runner.change;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;

/// What an agent may leave in its workspace to have a command of its own run, to have a file read
/// that it may not read itself, or to break what reads it.
final class HostileWorkspaces {
  private final Path workspace;
  private final Path outside;
  private final Path marker;
  private final Random random;

  /// @param outside a folder whose files must not be read
  /// @param marker a file that every planted command writes
  HostileWorkspaces(Path workspace, Path outside, Path marker, long seed) {
    this.workspace = workspace;
    this.outside = outside;
    this.marker = marker;
    this.random = new Random(seed);
  }

  @FunctionalInterface
  private interface Act {
    void leave() throws IOException;
  }

  /// Leaves several things, which ones depends on the seed.
  void leave() throws IOException {
    List<Act> acts =
        List.of(
            this::config,
            this::filters,
            this::repositoryIsAFile,
            this::repositoryIsALink,
            this::nestedRepository,
            this::alternates,
            this::linkedFolders,
            this::specialFiles,
            this::sparseFile,
            this::names,
            this::contents,
            this::modes,
            this::locked,
            this::replacedByOtherKinds,
            this::deepFolders,
            this::likeARepository,
            this::submodules,
            this::ignoreEverything,
            this::hardLink,
            this::index);
    for (int i = 0; i < 4 + random.nextInt(acts.size()); i++) {
      try {
        acts.get(random.nextInt(acts.size())).leave();
      } catch (java.nio.file.FileSystemException _) {
        // Another act was there before.
      }
    }
  }

  private String command() {
    return "touch " + marker;
  }

  private void config() throws IOException {
    Path git = workspace.resolve(".git");
    if (Files.isDirectory(git, LinkOption.NOFOLLOW_LINKS)) {
      Files.writeString(
          git.resolve("config"),
          """
          [core]
            fsmonitor = %1$s
            hooksPath = %2$s
            sshCommand = %1$s
            editor = %1$s
            pager = %1$s
            worktree = %3$s
          [diff]
            external = %1$s
          [diff "evil"]
            textconv = %1$s
            command = %1$s
          [filter "evil"]
            clean = %1$s
            smudge = %1$s
            process = %1$s
            required = true
          [include]
            path = %2$s/config
          [alias]
            diff-tree = !%1$s
          """
              .formatted(command(), git.resolve("evil"), outside));
      Files.createDirectories(git.resolve("hooks"));
      for (String hook : List.of("post-index-change", "fsmonitor-watchman", "pre-commit")) {
        Path script =
            Files.writeString(git.resolve("hooks").resolve(hook), "#!/bin/sh\n" + command());
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxrwxrwx"));
      }
    }
  }

  private void filters() throws IOException {
    Files.writeString(
        workspace.resolve(".gitattributes"),
        "* filter=evil diff=evil merge=evil text working-tree-encoding=UTF-16 ident\n");
    Files.createDirectories(workspace.resolve("filtered"));
    Files.writeString(workspace.resolve("filtered/.gitattributes"), "* -diff filter=evil\n");
    Files.writeString(workspace.resolve("filtered/x.txt"), "$Id$\r\n");
    config();
  }

  private void repositoryIsAFile() throws IOException {
    move();
    Files.writeString(workspace.resolve(".git"), "gitdir: " + outside + "\n");
  }

  private void repositoryIsALink() throws IOException {
    move();
    Files.createSymbolicLink(workspace.resolve(".git"), outside);
  }

  private void move() throws IOException {
    Files.move(workspace.resolve(".git"), workspace.resolve("was" + random.nextInt(1000)));
  }

  private void nestedRepository() throws IOException {
    Path nested = Files.createDirectories(workspace.resolve("vendor/nested" + random.nextInt(9)));
    OriginRepository.git(nested, "init", "--quiet");
    Files.writeString(nested.resolve("inner.txt"), "inner\n");
    Files.writeString(nested.resolve(".git/config"), "[core]\n fsmonitor = " + command() + "\n");
  }

  private void alternates() throws IOException {
    Path info = workspace.resolve(".git/objects/info");
    if (Files.isDirectory(info)) {
      Files.writeString(info.resolve("alternates"), outside + "\n");
    }
  }

  private void linkedFolders() throws IOException {
    Files.createSymbolicLink(workspace.resolve("etc" + random.nextInt(99)), outside);
    Files.createSymbolicLink(workspace.resolve("passwd"), outside.resolve("secret"));
    Files.createSymbolicLink(workspace.resolve("around"), Path.of("."));
    Files.createSymbolicLink(workspace.resolve("up"), Path.of("../.."));
  }

  private void specialFiles() throws IOException {
    OriginRepository.run(workspace, List.of("mkfifo", "pipe" + random.nextInt(99)));
    Path socket = workspace.resolve("s" + random.nextInt(99));
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
    }
    Files.deleteIfExists(workspace.resolve("a.txt"));
    OriginRepository.run(workspace, List.of("mkfifo", "a.txt"));
  }

  private void sparseFile() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(workspace.resolve("sparse").toFile(), "rw")) {
      file.setLength(10L * 1024 * 1024 * 1024);
    }
  }

  private void names() throws IOException {
    for (String name :
        List.of(
            "new\nline",
            " leading and trailing ",
            "tab\tquote\"back\\slash",
            "ünïcödé 漢字 👋",
            "e\u0301 decomposed",
            "-rf",
            "--output=x",
            ":(glob)*",
            "*",
            "a'b;$(touch x)",
            "\u202egnp",
            "con",
            "x".repeat(250),
            "CR\r")) {
      Files.writeString(workspace.resolve(name), name + "\n");
    }
    OriginRepository.run(workspace, List.of("sh", "-c", "printf x > \"$(printf 'not\\377text')\""));
  }

  private void contents() throws IOException {
    byte[] binary = new byte[20_000];
    random.nextBytes(binary);
    Files.write(workspace.resolve("image.bin"), binary);
    Files.write(workspace.resolve("new.bin"), binary);
    Files.writeString(workspace.resolve("windows.cmd"), "echo one\r\necho 2\r\necho three\r\n");
    Files.writeString(workspace.resolve("raw.bat"), "kept\r\nnow\nmixed\r\n");
    // Not through the link that another act may have put there: it leads out of the workspace.
    Files.deleteIfExists(workspace.resolve("dir/b.txt"));
    Files.writeString(workspace.resolve("dir/b.txt"), "no line end");
    Files.writeString(workspace.resolve("empty"), "");
    Files.writeString(workspace.resolve("patchlike"), "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n");
    Files.write(workspace.resolve("latin"), "caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));
  }

  private void modes() throws IOException {
    Files.setPosixFilePermissions(
        workspace.resolve("run.sh"), PosixFilePermissions.fromString("rw-r--r--"));
    Files.setPosixFilePermissions(
        workspace.resolve("dir/deep/c.txt"), PosixFilePermissions.fromString("rwxrwxrwx"));
    Path setuid = Files.writeString(workspace.resolve("setuid"), "#!/bin/sh\n");
    OriginRepository.run(workspace, List.of("chmod", "6755", setuid.toString()));
  }

  private void locked() throws IOException {
    Path folder = Files.createDirectories(workspace.resolve("locked"));
    Path file = Files.writeString(folder.resolve("file"), "locked\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("---------"));
    Files.setPosixFilePermissions(
        workspace.resolve("dir/deep"), PosixFilePermissions.fromString("---------"));
  }

  private void replacedByOtherKinds() throws IOException {
    Files.delete(workspace.resolve("link"));
    Files.createDirectory(workspace.resolve("link"));
    Files.writeString(workspace.resolve("link/now a folder"), "x\n");
    Files.delete(workspace.resolve("dir/b.txt"));
    Files.createSymbolicLink(workspace.resolve("dir/b.txt"), outside.resolve("secret"));
    Files.delete(workspace.resolve("run.sh"));
    Files.createDirectories(workspace.resolve("run.sh/a/b"));
    Files.writeString(workspace.resolve("run.sh/a/b/c"), "c\n");
    OriginRepository.run(workspace, List.of("rm", "-rf", "dir/deep"));
    Files.createSymbolicLink(workspace.resolve("dir/deep"), outside);
  }

  private void deepFolders() throws IOException {
    Path at = workspace;
    for (int i = 0; i < 300; i++) {
      at = at.resolve("d");
    }
    Files.createDirectories(at);
    Files.writeString(at.resolve("deep"), "deep\n");
  }

  private void likeARepository() throws IOException {
    Files.createDirectories(workspace.resolve("sub/.GIT/hooks"));
    Files.writeString(workspace.resolve("sub/.GIT/config"), "x");
    Files.writeString(workspace.resolve("sub/git~1"), "x");
    Files.writeString(workspace.resolve("sub/.git "), "x");
    Files.writeString(workspace.resolve("sub/.g\u200cit"), "x");
    Files.writeString(workspace.resolve("sub/.gitmodules"), "x\n");
    Files.writeString(workspace.resolve("sub/fine"), "fine\n");
  }

  private void submodules() throws IOException {
    Files.writeString(
        workspace.resolve(".gitmodules"),
        "[submodule \"x\"]\n path = x\n url = ext::sh -c \"%s\"\n update = !%s\n"
            .formatted(command(), command()));
  }

  private void ignoreEverything() throws IOException {
    Files.writeString(workspace.resolve(".gitignore"), "*\n");
    Files.createDirectories(workspace.resolve("ignored"));
    Files.writeString(workspace.resolve("ignored/x"), "ignored\n");
    Files.writeString(workspace.resolve("some.log"), "ignored\n");
    Files.writeString(workspace.resolve("kept.log"), "kept\n");
    Files.writeString(workspace.resolve("hidden"), "hidden\n");
  }

  private void hardLink() throws IOException {
    Files.createLink(workspace.resolve("hard"), outside.resolve("foreign"));
  }

  private void index() throws IOException {
    Files.writeString(workspace.resolve(".git/index"), "broken");
    Files.writeString(workspace.resolve(".git/HEAD"), "ref: refs/heads/\n");
  }
}
