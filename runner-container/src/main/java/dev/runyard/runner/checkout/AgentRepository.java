package dev.runyard.runner.checkout;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// The repository that an agent finds with its files: a copy of what was fetched, with a branch to
/// commit to and the address it came from. Nothing of it is used by the runner afterwards.
///
/// @param from the runner's own git directory
/// @param workspace where the files are
public record AgentRepository(Path from, Path workspace) {
  /// What the agent's repository has checked out.
  ///
  /// @param url without a user's name; empty for files that came from no server
  /// @param ref `refs/heads/…` or `refs/tags/…`; empty for a commit alone
  /// @param object the id that the ref has: of a commit, or of a tag
  /// @param commit the id of the commit
  /// @param sparse the only folders
  /// @param modules the submodules that have a repository of their own in their folders
  public record Head(
      String url,
      Optional<String> ref,
      String object,
      String commit,
      List<String> sparse,
      List<Submodules.Module> modules) {
    private static final String HEADS = "refs/heads/";
    private static final String TAGS = "refs/tags/";

    /// What people call the ref.
    public Optional<String> name() {
      return branch()
          .or(
              () ->
                  ref.filter(full -> full.startsWith(TAGS))
                      .map(full -> full.substring(TAGS.length())));
    }

    Optional<String> branch() {
      return ref.filter(name -> name.startsWith(HEADS)).map(name -> name.substring(HEADS.length()));
    }
  }

  /// Writes it. The files are checked out already, none of them named `.git`.
  public void write(Head head) throws IOException {
    Path git = Files.createDirectory(workspace.resolve(".git"));
    Files.createDirectories(git.resolve("refs/heads"));
    Files.createDirectories(git.resolve("info"));
    Path packs = Files.createDirectories(git.resolve("objects/pack"));
    try (DirectoryStream<Path> fetched = Files.newDirectoryStream(from.resolve("objects/pack"))) {
      for (Path pack : fetched) {
        Files.copy(pack, packs.resolve(Objects.requireNonNull(pack.getFileName())));
      }
    }
    for (String file : List.of("shallow", "index", "info/sparse-checkout")) {
      if (Files.exists(from.resolve(file))) {
        Files.copy(from.resolve(file), git.resolve(file));
      }
    }
    text(git, "HEAD", head.branch().map(name -> "ref: refs/heads/" + name).orElse(head.commit()));
    if (head.ref().isPresent()) {
      text(git, "packed-refs", refs(head));
    }
    text(git, "config", config(head));
  }

  private static String refs(Head head) {
    StringBuilder refs = new StringBuilder();
    head.ref().ifPresent(name -> refs.append(head.object()).append(' ').append(name).append('\n'));
    head.branch()
        .filter(_ -> !head.url().isEmpty())
        .ifPresent(name -> refs.append(head.object()).append(" refs/remotes/origin/").append(name));
    return refs.toString();
  }

  private static String config(Head head) {
    StringBuilder config =
        new StringBuilder(
            """
            [core]
            \trepositoryformatversion = 0
            \tfilemode = true
            \tbare = false
            \tlogallrefupdates = true
            """);
    if (!head.sparse().isEmpty()) {
      config.append("\tsparseCheckout = true\n\tsparseCheckoutCone = false\n");
    }
    if (head.url().isEmpty()) {
      return config.toString();
    }
    config.append(
        """
        [remote "origin"]
        \turl = "%s"
        \tfetch = +refs/heads/*:refs/remotes/origin/*
        """
            .formatted(head.url()));
    head.branch()
        .map(name -> name.replace("\"", "\\\""))
        .ifPresent(
            name ->
                config.append(
                    "[branch \"%s\"]\n\tremote = origin\n\tmerge = \"refs/heads/%s\"\n"
                        .formatted(name, name)));
    head.modules()
        .forEach(
            module ->
                config.append(
                    "[submodule \"%s\"]\n\tactive = true\n\turl = \"%s\"\n"
                        .formatted(
                            module.name().replace("\\", "\\\\").replace("\"", "\\\""),
                            module.url())));
    return config.toString();
  }

  private static void text(Path git, String name, String text) throws IOException {
    Files.writeString(
        git.resolve(name), text.endsWith("\n") ? text : text + "\n", StandardOpenOption.CREATE_NEW);
  }
}
