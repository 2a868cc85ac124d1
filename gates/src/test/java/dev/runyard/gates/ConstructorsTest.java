package dev.runyard.gates;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import java.util.List;

/// Nothing is given more than a reader can keep in mind: what belongs together is a thing of its
/// own. A record of data has as many members as its stored or sent form asks for.
final class ConstructorsTest {
  private static final int ARGUMENTS_MAX = 6;
  private static final String CORE_FILE = "shared/core/src/main/java/dev/runyard/core/Planted.java";
  private static final String IN_CORE = "package dev.runyard.core; ";

  @Gate
  @Breach(
      in = CORE_FILE,
      by = IN_CORE + "class Greedy { Greedy(int a, int b, int c, int d, int e, int f, int g) {} }",
      named = "Greedy takes 7")
  @Breach(
      in = CORE_FILE,
      by = IN_CORE + "record Disguised(int a, int b, int c, int d, int e, int f, Runnable g) {}",
      named = "Disguised takes 7")
  void noConstructorTakesMoreThanSixArguments(Repository repository) {
    assertEquals(List.of(), greedy(Classes.main(repository)), "name what belongs together");
  }

  private static List<String> greedy(JavaClasses classes) {
    return classes.stream()
        .filter(type -> !type.isEnum() && !type.isAnonymousClass())
        .flatMap(type -> type.getConstructors().stream())
        .filter(constructor -> given(constructor) > ARGUMENTS_MAX)
        .filter(constructor -> !constructor.getOwner().isRecord() || carriesSomebody(constructor))
        .map(constructor -> name(constructor.getOwner()) + " takes " + given(constructor))
        .distinct()
        .sorted()
        .toList();
  }

  private static int given(JavaConstructor constructor) {
    return constructor.getRawParameterTypes().size();
  }

  /// True when a member is somebody to call: an interface that is no collection, and not the name
  /// of a family of records.
  private static boolean carriesSomebody(JavaConstructor constructor) {
    return constructor.getRawParameterTypes().stream()
        .anyMatch(
            type ->
                type.isInterface()
                    && !type.isAssignableTo(Iterable.class)
                    && !type.isAssignableTo(java.util.Map.class)
                    && !isFamilyOfRecords(type));
  }

  private static boolean isFamilyOfRecords(JavaClass type) {
    return !type.getAllSubclasses().isEmpty()
        && type.getAllSubclasses().stream()
            .allMatch(member -> member.isInterface() || member.isRecord() || member.isEnum());
  }

  private static String name(JavaClass type) {
    return type.getName().substring(type.getPackageName().length() + 1);
  }
}
