package dev.runyard.gates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Rules on the text of the project's files.
final class SourceRulesTest {
  private static final int SOURCE_LINES_MAX = 400;
  private static final String TEN_LINES = "\n\n\n\n\n\n\n\n\n\n";
  private static final String FIFTY_LINES =
      TEN_LINES + TEN_LINES + TEN_LINES + TEN_LINES + TEN_LINES;
  private static final String HUNDRED_LINES = FIFTY_LINES + FIFTY_LINES;

  /// Whether a text has a pattern: a copy of the repository has the same texts but for one.
  private static final Map<Pattern, Map<String, Boolean>> JUDGED = new ConcurrentHashMap<>();

  private static final Pattern UNFINISHED =
      Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");

  /// A path that exists on one machine only.
  private static final Pattern MACHINE_PATH =
      Pattern.compile(
          "(?:(?<![\\w./~}*-])|(?<=file:)|(?<=file://))"
              + "/(?:work|root|home/[\\w-]+|Users/[\\w-]+)/[\\w.]");

  private static final Pattern REGISTRY_HOST =
      Pattern.compile(
          "registry\\.(npm"
              + "js|yarn"
              + "pkg)|repo1?\\.maven"
              + "\\.|maven-central\\.|files\\.python"
              + "hosted");

  @Gate
  @Breach(
      in = "cli/src/main/java/Planted.java",
      by = HUNDRED_LINES + HUNDRED_LINES + HUNDRED_LINES + HUNDRED_LINES + "\n",
      named = "cli/src/main/java/Planted.java")
  void noSourceIsLongerThanAPersonReads(Repository repository) {
    check(
        repository.files(".java"),
        source -> repository.text(source).lines().count() > SOURCE_LINES_MAX,
        "split: longer than " + SOURCE_LINES_MAX + " lines");
  }

  @Gate
  @Breach(in = "docs/planted.md", by = "TO" + "DO: say more", named = "docs/planted.md")
  void nothingIsLeftUnfinished(Repository repository) {
    check(texts(repository), found(repository, UNFINISHED), "finish it, or file an issue");
  }

  @Gate
  @Breach(
      in = "cli/src/main/java/planted/Planted.java",
      by = "package planted;",
      named = "planted/Planted.java")
  @Breach(
      in = "demo-agents/src/main/java/dev/runyard/demo/package-info.java",
      by = "package dev.runyard.demo;",
      named = "demo-agents/src/test/java/dev/runyard/demo/")
  void everyPackageIsNullMarked(Repository repository) {
    check(
        repository.files(".java"),
        source -> !nullMarked(repository, source),
        "its package needs a package-info.java with @NullMarked");
  }

  @Gate
  @Breach(
      in = "cli/src/main/java/planted/package-info.java",
      by = "@NullMarked\npackage planted;",
      named = "planted/package-info.java")
  void everyPackageSaysWhatItIs(Repository repository) {
    check(
        repository.files("/package-info.java"),
        source -> source.contains("src/main/java/") && !repository.text(source).startsWith("/// "),
        "say in a line above @NullMarked what the package is");
  }

  @Gate
  @Breach(in = "docs/planted.md", by = "cd /work/main", named = "docs/planted.md")
  @Breach(in = "docs/planted.md", by = "(/root/.m2)", named = "docs/planted.md")
  @Breach(in = "docs/planted.md", by = "\"/home/me/x\"", named = "docs/planted.md")
  @Breach(in = "docs/planted.md", by = "=/Users/some-body/x", named = "docs/planted.md")
  @Breach(in = "docs/planted.md", by = "file:///root/x", named = "docs/planted.md")
  void noFileNamesAPathOfOneMachine(Repository repository) {
    check(texts(repository), found(repository, MACHINE_PATH), "name no path of one machine");
  }

  @Planted
  @ParameterizedTest
  @ValueSource(strings = {"docs/work/x", "https://example.com/root/x", "~/work/x", "${x}/work/y"})
  void leavesOtherPathsAlone(String text) {
    assertFalse(MACHINE_PATH.matcher(text).find(), text);
  }

  @Gate
  @Breach(
      in = "cli/package.json",
      by = "https://registry.npm" + "js.org/x",
      named = "cli/package.json")
  @Breach(in = "docs/planted.md", by = "https://repo1.maven" + ".org/x", named = "docs/planted.md")
  void noFileNamesAPackageRegistry(Repository repository) {
    check(
        texts(repository),
        found(repository, REGISTRY_HOST),
        "leave the registry to the client's configuration");
  }

  @Gate
  @Breach(
      in = "runner-container/agents/pi/package-lock.json",
      replace = "\"integrity\"",
      by = "\"resolved\": \"https://example.com/x\", \"integrity\"",
      named = "runner-container/agents/pi/package-lock.json")
  void lockFilesSayNoAddresses(Repository repository) {
    check(
        repository.files("/package-lock.json"),
        lock -> repository.text(lock).contains("\"resolved\""),
        "write it with: npm install --omit-lockfile-registry-resolved");
  }

  /// A test shares its package with the code it tests, and so that package's mark, also where tests
  /// are a module of their own.
  private static boolean nullMarked(Repository repository, String source) {
    String beside = source.substring(0, source.lastIndexOf('/') + 1) + "package-info.java";
    String tested = beside.replace("src/test/java", "src/main/java");
    return Stream.of(beside, tested, tested.replace("/tests/src/", "/src/"))
        .anyMatch(file -> repository.has(file) && repository.text(file).contains("@NullMarked"));
  }

  private static void check(List<String> files, Predicate<String> wrong, String whatToDo) {
    assertFalse(files.isEmpty());
    assertEquals(List.of(), files.stream().filter(wrong).toList(), whatToDo);
  }

  private static Predicate<String> found(Repository repository, Pattern pattern) {
    Map<String, Boolean> judged = JUDGED.computeIfAbsent(pattern, _ -> new ConcurrentHashMap<>());
    return file ->
        judged.computeIfAbsent(repository.text(file), text -> pattern.matcher(text).find());
  }

  /// Every file that is text, without this one, which has to name what it looks for.
  private static List<String> texts(Repository repository) {
    return repository.files().stream()
        .filter(file -> !file.endsWith("/SourceRulesTest.java") && isText(repository, file))
        .toList();
  }

  private static boolean isText(Repository repository, String file) {
    try {
      return repository.text(file).indexOf('\0') < 0;
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof MalformedInputException) {
        return false;
      }
      throw e;
    }
  }
}
