package dev.runyard.runner.checkout;

import dev.runyard.testkit.git.Repository;
import dev.runyard.testkit.git.Repository.Entry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Repositories whose files say something to git or to Git LFS: settings, submodules, attributes
/// and pointers that name commands, servers and places of their own.
///
/// @param outside a folder that no repository may change
/// @param marker a file that their commands would make
record HostileSettings(Path outside, Path marker) {
  private static final String FILE = "100644";
  private static final String MODULE = "160000";
  private static final String COMMIT = "a".repeat(40);

  Map<String, HostileRepositories.Tree> trees() {
    Map<String, HostileRepositories.Tree> all = new LinkedHashMap<>();
    for (String url :
        List.of(
            "ext::touch " + marker,
            "file://" + outside,
            outside.toString(),
            "--upload-pack=touch " + marker,
            "ssh://-oProxyCommand=touch/x",
            "git@-oProxyCommand=touch:x",
            "https://nowhere.invalid/x?y#z",
            "https://127.0.0.1@nowhere.invalid/x",
            "../../../../..",
            "./../refused0",
            "https://a\\nb/x")) {
      all.put("module at " + url, it -> module(it, "m", "m", url, ""));
    }
    for (String name :
        List.of(
            "../../hooks", "..", "-x", "m/../../x", "..\\\\..\\\\x", "a\\\"]\\n[core", ".git")) {
      all.put("module named " + name, it -> module(it, name, "m", "../none", ""));
    }
    for (String path : List.of("../m", ".git/hooks", "/m", "m/../m", "")) {
      all.put("module in " + path, it -> module(it, "m", path, "../none", ""));
    }
    all.put(
        "module that updates by a command",
        it -> module(it, "m", "m", "../none", "\tupdate = !touch " + marker + "\n"));
    all.put(
        "modules that include",
        it -> module(it, "m", "m", "../none", "[include]\n\tpath = " + outside + "/kept\n"));
    all.put(
        "modules that begin a file monitor",
        it -> module(it, "m", "m", "../none", "[core]\n\tfsmonitor = touch " + marker + "\n"));
    all.put(
        "modules that are a folder",
        it -> it.tree(List.of(new Entry("40000", ".gitmodules", empty(it)), link())));
    all.put(
        "modules that are nothing",
        it -> it.tree(List.of(file(it, ".gitmodules", "\0\0"), link())));
    String lfs = "* filter=lfs diff=lfs merge=lfs -text\n";
    for (String pointer :
        List.of(
            "version https://git-lfs.github.com/spec/v1\noid sha256:"
                + "0".repeat(64)
                + "\nsize 1\n",
            "version https://git-lfs.github.com/spec/v1\noid sha256:"
                + "0".repeat(64)
                + "\nsize -1\n",
            LfsService.pointer("../../../../etc/passwd", 1),
            "version https://git-lfs.github.com/spec/v1\next-0-x sha256:" + "0".repeat(64) + "\n",
            "version " + outside + "\n")) {
      all.put(
          "pointer " + pointer.hashCode(),
          it ->
              it.tree(
                  List.of(
                      file(it, ".gitattributes", lfs),
                      file(it, ".lfsconfig", lfsConfig()),
                      file(it, "f", pointer))));
    }
    all.put(
        "a link that Git LFS keeps",
        it ->
            it.tree(
                List.of(
                    file(it, ".gitattributes", lfs),
                    new Entry("120000", "f", it.blob(bytes(outside + "/kept"))))));
    all.put(
        "attributes of every kind",
        it ->
            it.tree(
                List.of(
                    file(
                        it,
                        ".gitattributes",
                        "[attr]lfs filter=lfs\n* lfs text=auto eol=crlf ident\n\"a\\tb\" filter=x"
                            + "\n*.u working-tree-encoding=UTF-16 export-subst\n"),
                    file(it, "a.u", "gr\u00f6\u00dfe\r\n"))));
    return all;
  }

  private String lfsConfig() {
    return """
    [lfs]
    \turl = http://127.0.0.1:1/
    \tpushurl = file://%1$s
    \tstandalonetransferagent = x
    [lfs "customtransfer.x"]
    \tpath = touch
    \targs = %2$s
    """
        .formatted(outside, marker);
  }

  private static String module(Repository it, String name, String path, String url, String more) {
    List<Entry> entries = new ArrayList<>();
    entries.add(
        file(
            it,
            ".gitmodules",
            "[submodule \"%s\"]\n\tpath = \"%s\"\n\turl = \"%s\"\n%s"
                .formatted(name, path, url, more)));
    entries.add(link());
    return it.tree(entries);
  }

  private static Entry link() {
    return new Entry(MODULE, "m", COMMIT);
  }

  private static Entry file(Repository it, String name, String content) {
    return new Entry(FILE, name, it.blob(bytes(content)));
  }

  private static String empty(Repository it) {
    return it.tree(List.of(file(it, "x", "x")));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
