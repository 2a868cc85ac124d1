package dev.runyard.gates;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Nothing is given more than a reader can keep in mind: what belongs together is a thing of its
/// own. A record of data has as many members as its stored or sent form asks for.
final class ConstructorsTest {
  private static final int ARGUMENTS_MAX = 6;

  @Test
  void noConstructorTakesMoreThanSixArguments() {
    assertEquals(List.of(), greedy(ArchitectureTest.MAIN), "name what belongs together");
  }

  @Test
  void onesThatDoAreFound() {
    assertEquals(
        List.of("Greedy takes 7", "Greedy$Disguised takes 7"),
        greedy(new ClassFileImporter().importPackages("dev.runyard.gates.planted")));
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
