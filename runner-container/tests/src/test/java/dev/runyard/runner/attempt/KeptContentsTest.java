package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.change.KeptChange;
import dev.runyard.core.change.KeptChanges;
import dev.runyard.core.change.KeptObject;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.runner.RunnerRig;
import dev.runyard.testkit.git.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Files of every kind, from a repository through a run and back by patch and archive: as if the
/// agent's commands had been run in a clone.
final class KeptContentsTest {
  @TempDir private Path directory;
  private WorkspaceRig rig;

  @BeforeEach
  void open() throws Exception {
    Path work = Files.createDirectories(directory.toRealPath().resolve("work"));
    rig = new WorkspaceRig(directory, work, new RunnerRig(work));
  }

  @AfterEach
  void close() {
    rig.close();
  }

  /// What it is about, the commands that make the repository, and those of the agent.
  static Stream<Arguments> contents() {
    return Stream.of(
        Arguments.of(
            "spaces",
            "printf 'one\\n' > 'a file'; mkdir ' a folder '; printf 'one\\n' > ' a folder / x '",
            "printf 'two\\n' >> 'a file'; mv ' a folder / x ' ' a folder / y '; printf n > ' n '"),
        Arguments.of(
            "unicode",
            "printf 'one\\n' > 'ä 文 🎉'; printf 'one\\n' > \"$(printf 'e\\314\\201')\"",
            "printf 'two\\n' >> 'ä 文 🎉'; rm \"$(printf 'e\\314\\201')\"; printf 'ü\\n' > é"),
        Arguments.of(
            "newlines and signs",
            "printf 'one\\n' > \"$(printf 'a\\nb')\"; printf 'one\\n' > 'tab\tquote\"back\\slash'",
            "for f in *; do printf 'two\\n' >> \"$f\"; done; printf n > '*'; printf n > -rf"),
        Arguments.of(
            "line ends",
            "printf 'a\\r\\nb\\r\\n' > w; printf 'a\\nb' > u; printf 'a\\n' > m",
            "printf 'c\\r"
                + "\\n"
                + "' >> w; printf 'a\\r"
                + "\\n"
                + "b\\n"
                + "' > u; printf 'b\\r"
                + "\\n"
                + "' >> m; printf 'x\\r"
                + "\\n"
                + "' > n"),
        Arguments.of(
            "binary",
            "printf '\\000\\001\\377' > a; head -c 99999 /dev/zero > zeros; seq 99 | gzip -n > z",
            "printf '\\376\\000' >> a; rm zeros; seq 9999 | gzip -n > new; gunzip < z > a2"),
        Arguments.of(
            "modes",
            "printf x > program; chmod 755 program; printf x > plain; printf x > both",
            "chmod 644 program; chmod 755 plain both; printf y > both; printf n > n; chmod 755 n"),
        Arguments.of(
            "links",
            "printf x > a; ln -s a link; ln -s nowhere broken; mkdir d; printf x > d/x",
            "ln -sfn b link; ln -s ../../out out; rm broken a; ln -s link a; ln -s d folder"),
        Arguments.of(
            "empty files and folders",
            ": > empty; mkdir d; : > d/x; printf x > full",
            "rm d/x; mkdir -p 'more/an empty folder'; : > more/e; printf x > empty; : > full"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("contents")
  void comesBackAsItWasLeft(String about, String made, String changed) throws Exception {
    shell(rig.repository.path(), made);
    rig.repository.commit();
    RunKey run =
        rig.submit(changed, WorkspaceRequest.of(rig.source(), List.of(), 60, List.of(), true));

    rig.work();

    KeptChange kept = new KeptChanges(rig.runner.artifacts).find(run).orElseThrow();
    assertEquals(List.of(), kept.leftOut(), about);
    Repository expected = clone("expected");
    shell(expected.path(), changed);
    String folders = emptyFolders(expected.path());
    Repository patched = clone("patched");
    patched.git("apply", stored(run, kept, kept.patch()).toString());
    assertEquals(tree(expected), tree(patched), about);
    Path unpacked = Files.createDirectory(directory.resolve("unpacked"));
    shell(unpacked, "tar xzf '" + stored(run, kept, kept.archive()) + "'");
    assertEquals(folders, emptyFolders(unpacked), about);
    Files.move(patched.path().resolve(".git"), unpacked.resolve(".git"));
    assertEquals(tree(expected), tree(new Repository(unpacked)), about);
  }

  private Repository clone(String name) {
    Repository clone = Repository.create(directory.resolve(name));
    clone.git("fetch", "-q", rig.repository.path().toString(), "main");
    clone.git("checkout", "-q", "--detach", "FETCH_HEAD");
    return clone;
  }

  /// Names, contents, links and which files are programs.
  private static String tree(Repository repository) {
    repository.git("add", "--all");
    return repository.git("write-tree");
  }

  private static String emptyFolders(Path folder) throws Exception {
    return shell(folder, "find . -name .git -prune -o -type d -empty -print | sort");
  }

  private Path stored(RunKey run, KeptChange kept, @Nullable KeptObject object) throws IOException {
    KeptObject named = Objects.requireNonNull(object);
    byte[] content = new KeptChanges(rig.runner.artifacts).content(run, kept, named).orElseThrow();
    return Files.write(directory.resolve(named.object()), content);
  }

  private static String shell(Path in, String script) throws Exception {
    Process process =
        new ProcessBuilder("sh").directory(in.toFile()).redirectErrorStream(true).start();
    try (var input = process.getOutputStream()) {
      input.write(script.getBytes(StandardCharsets.UTF_8));
    }
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), printed);
    return printed;
  }
}
