package dev.runyard.runner.checkout;

import dev.runyard.testkit.git.Repository;
import dev.runyard.testkit.git.Repository.Entry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Repositories that try to write outside of their folder, to run a command, or to use up the
/// machine. Each is made of objects as git would not make them.
///
/// @param outside a folder that no repository may change
/// @param marker a file that their commands would make
record HostileRepositories(Path outside, Path marker) {
  private static final String FILE = "100644";
  private static final String FOLDER = "40000";
  private static final String LINK = "120000";
  private static final String MODULE = "160000";

  /// Names that some file system takes for `.git`.
  static final List<String> RESERVED =
      List.of(
          ".git",
          ".GIT",
          ".gIt",
          "git~1",
          "GIT~1",
          ".git ",
          ".git.",
          ".git . .",
          ".git::$INDEX_ALLOCATION",
          ".g\u200cit",
          ".git\u200d",
          "\ufeff.git");

  /// Makes a tree in a repository; its id.
  @FunctionalInterface
  interface Tree {
    String in(Repository repository);
  }

  /// Those that must not be checked out.
  Map<String, Tree> refused() {
    Map<String, Tree> all = new LinkedHashMap<>();
    for (String name : RESERVED) {
      String shown = name.codePoints().mapToObj(Integer::toHexString).toList().toString();
      all.put("file " + shown, it -> it.tree(List.of(file(it, name, "gitdir: " + outside))));
      all.put("folder " + shown, it -> it.tree(List.of(new Entry(FOLDER, name, gitFolder(it)))));
      all.put("below " + shown, it -> below(it, new Entry(FOLDER, name, gitFolder(it))));
    }
    for (String name : List.of(".", "..", "a/b", "../out", "")) {
      all.put("name '" + name + "'", it -> it.tree(List.of(file(it, name, "x"))));
    }
    all.put("link " + RESERVED.getFirst(), it -> it.tree(List.of(link(it, ".git", "" + outside))));
    all.put("modules by a link", it -> it.tree(List.of(link(it, ".gitmodules", "" + outside))));
    all.put("a folder through a link", this::throughLink);
    all.put(
        "a file through a link",
        it -> it.tree(List.of(link(it, "d", "" + outside), file(it, "d", "x"))));
    all.put("module by an option", it -> modules(it, "m", "m", "-u./payload"));
    all.put("module at an option", it -> modules(it, "m", "--upload-pack=x", "https://h/x"));
    all.put("module that leaves", it -> modules(it, "../../x", "m", "https://h/x"));
    all.put("a link that is too long", it -> it.tree(List.of(link(it, "l", "x".repeat(5000)))));
    all.put("a name that is too long", it -> below(it, file(it, "n".repeat(5000), "x")));
    all.put("folders too deep", it -> deep(it, 300));
    all.put("a bomb of files", HostileRepositories::fileBomb);
    all.put("a bomb of folders", HostileRepositories::folderBomb);
    all.put("a bomb of bytes", HostileRepositories::byteBomb);
    return all;
  }

  /// Those that are only files, whatever they say.
  Map<String, Tree> harmless() {
    Map<String, Tree> all = new LinkedHashMap<>();
    all.put(
        "links outside",
        it ->
            it.tree(
                List.of(
                    link(it, "absolute", "" + outside),
                    link(it, "config", ".git/config"),
                    link(it, "self", "self"),
                    link(it, "up", "../../.."))));
    all.put(
        "attributes with commands",
        it ->
            it.tree(
                List.of(
                    file(it, ".gitattributes", "* filter=x diff=x merge=x ident eol=crlf\n"),
                    file(it, ".gitconfig", config()),
                    file(it, ".lfsconfig", "[lfs]\n\turl = https://evil/\n"),
                    file(it, "data", "x\n"))));
    all.put(
        "hooks beside",
        it ->
            it.tree(
                List.of(new Entry(FOLDER, ".githooks", hooks(it)), file(it, "config", config()))));
    all.put("a folder like a git directory", it -> gitFolder(it));
    all.put("names in two cases", it -> it.tree(List.of(file(it, "A", "1"), file(it, "a", "2"))));
    all.put(
        "a module without its file",
        it -> it.tree(List.of(new Entry(MODULE, "m", "a".repeat(40)))));
    all.put(
        "names for a terminal",
        it -> it.tree(List.of(file(it, "\u001b[2J", "x"), file(it, "a\nb\r\t\"", "x"))));
    all.put("an option for a name", it -> it.tree(List.of(file(it, "--upload-pack=x", "x"))));
    return all;
  }

  private static Entry file(Repository it, String name, String content) {
    return new Entry(FILE, name, it.blob(content.getBytes(StandardCharsets.UTF_8)));
  }

  private static Entry link(Repository it, String name, String target) {
    return new Entry(LINK, name, it.blob(target.getBytes(StandardCharsets.UTF_8)));
  }

  private static String below(Repository it, Entry entry) {
    return it.tree(List.of(new Entry(FOLDER, "sub", it.tree(List.of(entry)))));
  }

  private String config() {
    return """
    [core]
    \tfsmonitor = "touch %1$s"
    \thooksPath = .githooks
    \tsshCommand = "touch %1$s"
    [filter "x"]
    \tsmudge = "touch %1$s"
    \tprocess = "touch %1$s"
    """
        .formatted(marker);
  }

  private String hooks(Repository it) {
    String hook = it.blob(("#!/bin/sh\ntouch " + marker + "\n").getBytes(StandardCharsets.UTF_8));
    return it.tree(
        List.of(
            new Entry("100755", "post-checkout", hook),
            new Entry("100755", "post-index-change", hook),
            new Entry("100755", "reference-transaction", hook)));
  }

  private String gitFolder(Repository it) {
    return it.tree(
        List.of(
            file(it, "HEAD", "ref: refs/heads/main\n"),
            file(it, "config", config()),
            new Entry(FOLDER, "hooks", hooks(it)),
            new Entry(FOLDER, "objects", it.tree(List.of(file(it, "x", "x")))),
            new Entry(FOLDER, "refs", it.tree(List.of(file(it, "x", "x"))))));
  }

  private String throughLink(Repository it) {
    String folder = it.tree(List.of(file(it, "x", "x")));
    return it.tree(List.of(link(it, "d", "" + outside), new Entry(FOLDER, "d", folder)));
  }

  private static String modules(Repository it, String name, String path, String url) {
    return it.tree(
        List.of(
            file(
                it,
                ".gitmodules",
                "[submodule \"%s\"]\n\tpath = %s\n\turl = %s\n".formatted(name, path, url)),
            new Entry(MODULE, "m", "a".repeat(40))));
  }

  private static String deep(Repository it, int folders) {
    String tree = it.tree(List.of(file(it, "x", "x")));
    for (int i = 0; i < folders; i++) {
      tree = it.tree(List.of(new Entry(FOLDER, "d", tree)));
    }
    return tree;
  }

  /// Ten in ten in ten, as often as it takes.
  private static String tenfold(Repository it, List<Entry> leaf, int levels) {
    String tree = it.tree(leaf);
    for (int i = 0; i < levels; i++) {
      String inner = tree;
      tree =
          it.tree(IntStream.range(0, 10).mapToObj(n -> new Entry(FOLDER, "d" + n, inner)).toList());
    }
    return tree;
  }

  private static String fileBomb(Repository it) {
    return tenfold(it, List.of(file(it, "x", "x")), 10);
  }

  private static String folderBomb(Repository it) {
    return tenfold(it, List.of(), 10);
  }

  private static String byteBomb(Repository it) {
    String zeros = it.blob(new byte[16 * 1024 * 1024]);
    List<Entry> entries = new ArrayList<>();
    for (int i = 100; i < 300; i++) {
      entries.add(new Entry(FILE, "f" + i, zeros));
    }
    return it.tree(entries);
  }
}
