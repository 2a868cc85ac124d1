package dev.runyard.gates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.tngtech.archunit.core.domain.JavaMethod;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.annotation.Testable;

/// Every rule of this module is seen to fail, in each build: its test is a [Gate] with a [Breach],
/// or has a [Planted] test beside it.
final class GatesTest {
  private static final String FILE = "gates/src/test/java/dev/runyard/gates/BlindTest.java";

  @Gate
  @Breach(
      in = FILE,
      by =
          "package dev.runyard.gates;"
              + " class BlindTest { @org.junit.jupiter.api.Test void sees() {} }",
      named = "[BlindTest.sees]")
  @Breach(
      in = FILE,
      by = "package dev.runyard.gates; class BlindTest { @Gate void sees(Repository files) {} }",
      named = "[BlindTest.sees]")
  @Breach(
      in = FILE,
      by =
          "package dev.runyard.gates; import org.junit.jupiter.api.Test; class HalfTest {"
              + " @Test void sees() {} @Test void hears() {}"
              + " @Test @Planted(\"sees\") void finds() {} }",
      named = "[HalfTest.hears]")
  void everyRuleIsSeenToFail(Repository repository) {
    List<JavaMethod> tests =
        Classes.tests(repository).stream()
            .filter(type -> type.getPackageName().startsWith("dev.runyard.gates"))
            .flatMap(type -> type.getMethods().stream())
            .filter(method -> method.isMetaAnnotatedWith(Testable.class))
            .toList();
    assertFalse(tests.isEmpty());
    Set<String> shown = tests.stream().flatMap(GatesTest::shown).collect(Collectors.toSet());
    assertEquals(
        List.of(),
        tests.stream().map(GatesTest::name).filter(name -> !shown.contains(name)).toList(),
        "plant what each of these would find");
  }

  /// The tests that are seen to fail because of this one.
  private static Stream<String> shown(JavaMethod test) {
    Optional<Planted> planted = test.tryGetAnnotationOfType(Planted.class);
    boolean itself =
        planted.isPresent()
            || test.getOwner().isAnnotatedWith(Planted.class)
            || (test.isAnnotatedWith(Gate.class)
                && (test.isAnnotatedWith(Breach.class)
                    || test.isAnnotatedWith(Breach.Several.class)));
    Stream<String> others =
        planted.stream()
            .flatMap(by -> Stream.of(by.value()))
            .map(name -> name.contains(".") ? name : test.getOwner().getSimpleName() + "." + name);
    return itself ? Stream.concat(others, Stream.of(name(test))) : others;
  }

  private static String name(JavaMethod test) {
    return test.getOwner().getSimpleName() + "." + test.getName();
  }

  @Planted
  @Test
  void aGateThatDoesNotNameItsBreachFails() throws Throwable {
    GateRuns.mustName("this", () -> assertEquals("this", "that"));
    assertThrows(AssertionError.class, () -> GateRuns.mustName("this", () -> {}));
    assertThrows(
        AssertionError.class, () -> GateRuns.mustName("this", () -> assertEquals("that", "other")));
  }

  @Planted
  @Test
  void aBreachThatChangesNothingFails() {
    assertThrows(
        AssertionError.class, () -> Repository.OURS.with("README.md", "no such words there", ""));
  }
}
