package dev.runyard.runner.checkout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.GitAddress;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.testkit.git.GitServer;
import dev.runyard.testkit.git.Repository;
import dev.runyard.testkit.git.Repository.Entry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Submodules of repositories of a real server.
final class SubmoduleTest {
  private static final String SECRET = "canary-of-the-credential";
  private static final String COMMIT = "160000";

  @TempDir private Path folder;
  private CheckoutRig rig;
  private Repository main;
  private Repository part;

  @BeforeEach
  void open() throws IOException {
    rig = new CheckoutRig(folder);
    main = rig.repository("acme/shop");
    part = rig.repository("acme/part");
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void writesTheFilesOfTheCommitThatTheTreeNames() throws Exception {
    String commit = part.commit("a", "1");
    part.commit("a", "2");
    main.write("own", "x");
    holds(main, "lib/part", "../part", commit);

    Checkout.Result.Done done = rig.done(order());

    Path workspace = done.base().workspace();
    assertEquals("1", Files.readString(workspace.resolve("lib/part/a")));
    Repository agents = new Repository(workspace);
    assertEquals("", agents.git("status", "--porcelain"));
    assertEquals(commit, new Repository(workspace.resolve("lib/part")).head());
    assertEquals(
        rig.server.url("acme/part"),
        new Repository(workspace.resolve("lib/part")).git("remote", "get-url", "origin"));
    assertTrue(agents.git("submodule", "status").startsWith(commit), "initialised and unchanged");
    assertEquals(3, done.facts().files());
    Files.writeString(workspace.resolve("lib/part/a"), "of the agent");
    assertEquals("M lib/part", agents.git("status", "--porcelain").strip());
  }

  @Test
  void writesSubmodulesOfSubmodulesAndLeavesOutWhatIsUnwanted() throws Exception {
    Repository inner = rig.repository("other/inner");
    String innermost = inner.commit("deep", "3");
    String commit = holds(part, "größe mit raum", "../../other/inner", innermost);
    main.write(
        ".gitmodules",
        """
        [submodule "one"]
        \tpath = one
        \turl = %s
        [submodule "two"]
        \tpath = two
        \turl = https://nowhere.example/x
        \tupdate = none
        """
            .formatted(rig.server.url("acme/part")));
    main.git("update-index", "--add", "--cacheinfo", COMMIT + "," + commit + ",one");
    main.git("update-index", "--add", "--cacheinfo", COMMIT + "," + commit + ",two");
    main.git("add", ".gitmodules");
    main.git("commit", "-q", "-m", "modules");

    Path workspace = rig.done(order()).base().workspace();

    assertEquals("3", Files.readString(workspace.resolve("one/größe mit raum/deep")));
    assertEquals("", new Repository(workspace).git("status", "--porcelain"));
    try (Stream<Path> files = Files.list(workspace.resolve("two"))) {
      assertEquals(List.of(), files.toList());
    }
  }

  @Test
  void leavesThemOutUnlessTheyAreAskedFor() throws Exception {
    holds(main, "part", "https://nowhere.example/x", part.commit("a", "1"));

    Path workspace = rig.done(rig.order(rig.source("acme/shop", null))).base().workspace();

    assertEquals("", new Repository(workspace).git("status", "--porcelain"));
    assertTrue(Files.isDirectory(workspace.resolve("part")));
  }

  @Test
  void showsTheCredentialToItsOwnServerOnly() throws Exception {
    try (GitServer other = new GitServer(folder.resolve("served"))) {
      rig.trusts(other.host());
      rig.server.wants("x-access-token:" + SECRET);
      other.wants("x-access-token:" + SECRET);
      String commit = part.commit("a", "1");
      holds(main, "part", "../part", commit);
      rig.done(secret());

      holds(main, "part", other.url("acme/part"), commit);

      assertEquals(Failure.REPOSITORY_REFUSED, rig.refused(secret()).code());
      assertEquals(List.of(), other.asked());
    }
  }

  @Test
  void goesToNoServerThatTheOperatorDoesNotList() throws Exception {
    holds(main, "part", "https://nowhere.example/x", part.commit("a", "1"));

    Failure failure = rig.refused(order());

    assertEquals(Failure.CLONE_FAILED, failure.code());
    assertTrue(failure.message().contains("git_hosts"), failure.message());
  }

  @Test
  void refusesAddressesNamesAndPlacesOfOtherKinds() throws Exception {
    Map<String, String> wrong = new TreeMap<>();
    String commit = part.commit("a", "1");
    Path marker = folder.resolve("ran");
    for (String url :
        List.of(
            "file://" + folder + "/served/acme/part",
            folder + "/served/acme/part",
            "ext::sh -c touch% " + marker,
            "git://127.0.0.1/part",
            "http://localhost:1/part",
            "https://user:pw@127.0.0.1/part",
            "../../../../etc",
            "./../../x/../../../y",
            "../part/../../x",
            "git@127.0.0.1:part",
            "ssh://-oProxyCommand=touch% " + marker + "/x",
            "")) {
      holds(main, "part", url, commit);
      refused(wrong, "url " + url);
    }
    for (String modules :
        List.of(
            "",
            "[submodule \"part\"]\n\tpath = other\n\turl = ../part\n",
            "[submodule \"../../x\"]\n\tpath = part\n\turl = ../part\n",
            "[submodule \"-x\"]\n\tpath = part\n\turl = ../part\n",
            "[include]\n\tpath = /etc/passwd\n",
            "[submodule \"part\"\n",
            "# "
                + "x".repeat(Submodules.MODULES_BYTES_MAX)
                + "\n[submodule \"p\"]\n\tpath = q\n")) {
      tree(modules, new Entry(COMMIT, "part", commit));
      refused(wrong, "modules " + modules.substring(0, Math.min(40, modules.length())));
    }
    holds(main, "part", "../part", "0123456789012345678901234567890123456789");
    refused(wrong, "a commit that is not there");
    assertEquals(Map.of(), wrong);
    assertFalse(Files.exists(marker));
  }

  @Test
  void bringsCommandsOfModulesToNothing() throws Exception {
    String commit = part.commit("a", "1");
    Path marker = folder.resolve("ran");
    tree(
        """
        [submodule "part"]
        \tpath = part
        \turl = ../part
        \tfetchRecurseSubmodules = true
        \tignore = all
        \tbranch = --upload-pack=touch
        [core]
        \tsshCommand = touch %1$s
        \tfsmonitor = touch %1$s
        [include]
        \tpath = .git/config
        """
            .formatted(marker),
        new Entry(COMMIT, "part", commit));

    Path workspace = rig.done(order()).base().workspace();

    assertEquals("1", Files.readString(workspace.resolve("part/a")));
    assertFalse(Files.exists(marker));
    assertFalse(Files.readString(workspace.resolve(".git/config")).contains("touch"));
  }

  @Test
  void checksEverySubmoduleLikeTheRepositoryItself() throws Exception {
    String hostile =
        part.commitTree(
            part.tree(
                List.of(
                    new Entry("100644", ".GIT", part.blob("x".getBytes(StandardCharsets.UTF_8))))));
    holds(main, "part", "../part", hostile);

    assertEquals(Failure.REPOSITORY_REFUSED, rig.refused(order()).code());
  }

  @Test
  void boundsThemTogether() throws Exception {
    String commit = part.commit("a", "x".repeat(1000));
    String own = holds(main, "part", "../part", commit);
    long bytes = main.git("cat-file", "-s", own + ":.gitmodules").length() + 2_000L;
    WorkspaceSource.Git source = source(null);

    assertEquals(
        Failure.WORKSPACE_TOO_LARGE,
        rig.refused(new Checkout.Order(source, null, Optional.empty(), rig.folder(), 1000, 100))
            .code());
    assertEquals(
        Failure.WORKSPACE_TOO_LARGE,
        rig.refused(new Checkout.Order(source, null, Optional.empty(), rig.folder(), bytes, 2))
            .code());
    rig.done(new Checkout.Order(source, null, Optional.empty(), rig.folder(), bytes, 3));

    List<Entry> many = new ArrayList<>();
    StringBuilder modules = new StringBuilder();
    for (int i = 100; i <= 100 + Submodules.MODULES_MAX; i++) {
      many.add(new Entry(COMMIT, "m" + i, commit));
      modules.append("[submodule \"m%1$d\"]\n\tpath = m%1$d\n\turl = ../none\n".formatted(i));
    }
    tree(modules.toString(), many.toArray(Entry[]::new));
    assertEquals(Failure.WORKSPACE_TOO_LARGE, rig.refused(order()).code());
  }

  @Test
  void goesOnlySoDeep() throws Exception {
    String below = part.commit("a", "1");
    for (int i = 0; i <= Submodules.MODULE_DEPTH_MAX; i++) {
      Repository level = rig.repository("acme/level" + i);
      below = holds(level, "in", i == 0 ? "../part" : "../level" + (i - 1), below);
    }
    holds(main, "in", "../level" + (Submodules.MODULE_DEPTH_MAX - 2), level(3));
    rig.done(order());
    holds(main, "in", "../level" + Submodules.MODULE_DEPTH_MAX, below);

    assertEquals(Failure.WORKSPACE_TOO_LARGE, rig.refused(order()).code());
  }

  @Test
  void resolvesAddresses() {
    GitAddress main = address("https://github.com/acme/shop.git");
    for (List<String> each :
        List.of(
            List.of("../part", "https://github.com/acme/part"),
            List.of("../../x/y.git", "https://github.com/x/y.git"),
            List.of("./sub", "https://github.com/acme/shop.git/sub"),
            List.of("git@github.com:acme/part.git", "https://github.com/acme/part.git"),
            List.of("ssh://git@github.com/acme/part", "https://github.com/acme/part"),
            List.of("git@gitlab.com:a/b", "git@gitlab.com:a/b"),
            List.of("../../..", ""),
            List.of("../../../x", ""),
            List.of("..", ""))) {
      assertEquals(
          each.getLast(),
          ModuleAddress.of(each.getFirst(), main, main).map(GitAddress::url).orElse(""),
          each.getFirst());
    }
    GitAddress ssh = address("git@github.com:acme/shop");
    assertEquals(
        Optional.of("ssh://git@github.com/a/b"),
        ModuleAddress.of("https://github.com/a/b", ssh, ssh).map(GitAddress::url));
    assertEquals(
        Optional.of("git@github.com:acme/part"),
        ModuleAddress.of("../part", ssh, ssh).map(GitAddress::url));
  }

  private String level(int number) {
    return new Repository(folder.resolve("served/acme/level" + number)).head();
  }

  private void refused(Map<String, String> wrong, String what) throws Exception {
    Checkout.Order order = order();
    Checkout.Result result = rig.checkouts().write(order);
    boolean clear =
        result instanceof Checkout.Result.Refused(Failure failure)
            && List.of(Failure.REPOSITORY_REFUSED, Failure.CLONE_FAILED, Failure.REF_NOT_FOUND)
                .contains(failure.code());
    if (!clear) {
      wrong.put(what, result.toString());
    }
    if (Files.exists(order.workspace().resolve("part"), LinkOption.NOFOLLOW_LINKS)) {
      try (Stream<Path> files = Files.list(order.workspace().resolve("part"))) {
        files.forEach(file -> wrong.put(what, file.toString()));
      }
    }
  }

  /// Gives a repository a submodule; its commit.
  private static String holds(Repository in, String path, String url, String commit) {
    in.write(
        ".gitmodules", "[submodule \"part\"]\n\tpath = %s\n\turl = \"%s\"\n".formatted(path, url));
    in.git("read-tree", "--empty");
    in.git("add", "-A");
    in.git("update-index", "--add", "--cacheinfo", COMMIT + "," + commit + "," + path);
    in.git("commit", "-q", "-m", "module");
    return in.head();
  }

  private void tree(String modules, Entry... entries) {
    List<Entry> all = new ArrayList<>();
    all.add(
        new Entry("100644", ".gitmodules", main.blob(modules.getBytes(StandardCharsets.UTF_8))));
    all.addAll(List.of(entries));
    main.commitTree(main.tree(all));
  }

  private static GitAddress address(String url) {
    return GitAddress.read(url).orElseThrow();
  }

  private WorkspaceSource.Git source(@Nullable String credential) {
    return new WorkspaceSource.Git(
        rig.server.url("acme/shop"), "main", 1, List.of(), true, false, credential);
  }

  private Checkout.Order order() throws IOException {
    return rig.order(source(null));
  }

  private Checkout.Order secret() throws IOException {
    return new Checkout.Order(source("GIT"), null, Optional.of(SECRET), rig.folder());
  }
}
