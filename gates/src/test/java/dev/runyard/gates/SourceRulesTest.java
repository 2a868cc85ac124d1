package dev.runyard.gates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Rules on the text of the project's files.
final class SourceRulesTest {
  static final int SOURCE_LINES_MAX = 400;

  private static final Pattern UNFINISHED =
      Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");

  /// A path that exists on one machine only.
  private static final Pattern MACHINE_PATH =
      Pattern.compile("(?<![\\w./~}*-])/(?:work|root|home/\\w+|Users/\\w+)/[\\w.]");

  private static final Pattern REGISTRY_HOST =
      Pattern.compile(
          "registry\\.(npm"
              + "js|yarn"
              + "pkg)|repo1?\\.maven"
              + "\\.|maven-central\\.|files\\.python"
              + "hosted");

  @Test
  void noSourceIsLongerThanAPersonReads() {
    check(
        Repository.sources(),
        source -> Repository.read(source).lines().count() > SOURCE_LINES_MAX,
        "split: longer than " + SOURCE_LINES_MAX + " lines");
  }

  @Test
  void nothingIsLeftUnfinished() {
    check(texts(), found(UNFINISHED), "finish it, or file an issue");
  }

  @Test
  void everyPackageIsNullMarked() {
    check(
        Repository.sources(),
        source -> !nullMarked(source),
        "its package needs a package-info.java with @NullMarked");
  }

  @Test
  void everyPackageSaysWhatItIs() {
    check(
        Repository.sources(),
        source -> {
          String name = Repository.name(source);
          return name.contains("src/main/java/")
              && name.endsWith("package-info.java")
              && !Repository.read(source).startsWith("///");
        },
        "say in a line above @NullMarked what the package is");
  }

  @Test
  void noFileNamesAPathOfOneMachine() {
    check(texts(), found(MACHINE_PATH), "name no path of one machine");
  }

  @Test
  void noFileNamesAPackageRegistry() {
    check(texts(), found(REGISTRY_HOST), "leave the registry to the client's configuration");
  }

  @Test
  void lockFilesSayNoAddresses() {
    List<Path> locks =
        Repository.files().stream()
            .filter(file -> file.getFileName().toString().equals("package-lock.json"))
            .toList();
    assertFalse(locks.isEmpty());
    check(
        locks,
        lock -> Repository.read(lock).contains("\"resolved\""),
        "write it with: npm install --omit-lockfile-registry-resolved");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cd /work/main", "(/root/.m2)", "\"/home/me/x\"", "=/Users/me/x"})
  void recognisesPathsOfOneMachine(String text) {
    assertTrue(MACHINE_PATH.matcher(text).find(), text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"docs/work/x", "https://example.com/root/x", "~/work/x", "${x}/work/y"})
  void leavesOtherPathsAlone(String text) {
    assertFalse(MACHINE_PATH.matcher(text).find(), text);
  }

  /// A test shares its package with the code it tests, and so that package's mark.
  private static boolean nullMarked(Path source) {
    Path beside = source.resolveSibling("package-info.java");
    Path inMain = Path.of(beside.toString().replace("src/test/java", "src/main/java"));
    return Stream.of(beside, inMain)
        .anyMatch(file -> Files.exists(file) && Repository.read(file).contains("@NullMarked"));
  }

  private static void check(List<Path> files, Predicate<Path> wrong, String whatToDo) {
    assertFalse(files.isEmpty());
    assertEquals(List.of(), files.stream().filter(wrong).map(Repository::name).toList(), whatToDo);
  }

  private static Predicate<Path> found(Pattern pattern) {
    return file -> pattern.matcher(Repository.read(file)).find();
  }

  /// Every file that is text, without this one, which has to name what it looks for.
  private static List<Path> texts() {
    List<Path> texts = new ArrayList<>();
    for (Path file : Repository.files()) {
      if (!file.endsWith("SourceRulesTest.java") && isText(file)) {
        texts.add(file);
      }
    }
    return texts;
  }

  private static boolean isText(Path file) {
    try {
      return Files.readString(file).indexOf('\0') < 0;
    } catch (MalformedInputException _) {
      return false;
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
