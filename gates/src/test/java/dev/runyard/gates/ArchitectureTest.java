package dev.runyard.gates;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Which code may know which. The rules read the compiled classes of every module.
final class ArchitectureTest {
  private static final String ALL = "dev.runyard..";
  private static final String NEEDS = "dev.runyard.needs..";
  private static final String CORE = "dev.runyard.core..";
  private static final String TWINS = "dev.runyard.core.memory..";
  private static final String AGENT = "dev.runyard.agent..";
  private static final String TESTKIT = "dev.runyard.testkit..";
  private static final String AWS = "dev.runyard.aws..";
  private static final String EMBEDDED = "dev.runyard.embedded..";
  private static final String FUNCTIONS = "dev.runyard.functions..";
  private static final String RUNNER = "dev.runyard.runner..";
  private static final String LOCAL = "dev.runyard.local..";
  private static final String CLI = "dev.runyard.cli..";
  private static final String DEMO = "dev.runyard.demo..";
  private static final String CONTRACT = "Contract";

  static final JavaClasses MAIN = imported("target/classes");
  private static final JavaClasses TESTS = imported("target/test-classes");

  private static JavaClasses imported(String folder) {
    List<Path> folders =
        Repository.MODULES.stream()
            .map(module -> Repository.HOME.resolve(module).resolve(folder))
            .filter(Files::isDirectory)
            .toList();
    return new ClassFileImporter().importPaths(folders);
  }

  static Stream<Arguments> modules() {
    return Stream.of(
        Arguments.of(NEEDS, new String[] {NEEDS}),
        Arguments.of(CORE, new String[] {CORE}),
        Arguments.of(AGENT, new String[] {AGENT, CORE}),
        Arguments.of(TESTKIT, new String[] {TESTKIT, NEEDS, CORE}),
        Arguments.of(AWS, new String[] {AWS, CORE}),
        Arguments.of(EMBEDDED, new String[] {EMBEDDED, CORE}),
        Arguments.of(FUNCTIONS, new String[] {FUNCTIONS, AWS, AGENT, CORE}),
        Arguments.of(RUNNER, new String[] {RUNNER, AWS, AGENT, CORE}),
        Arguments.of(LOCAL, new String[] {LOCAL, RUNNER, FUNCTIONS, AWS, AGENT, CORE}),
        Arguments.of(CLI, new String[] {CLI, LOCAL, CORE}),
        Arguments.of(DEMO, new String[] {DEMO, AGENT, CORE}));
  }

  @ParameterizedTest
  @MethodSource("modules")
  void moduleKnowsOnlyTheModulesBelowIt(String module, String[] known) {
    holds(
        noClasses()
            .that()
            .resideInAPackage(module)
            .should()
            .dependOnClassesThat(resideInAPackage(ALL).and(not(resideInAnyPackage(known)))));
    String name = module.replace("..", "");
    assertEquals(
        Repository.sources().stream().anyMatch(source -> isCode(source, name)),
        MAIN.stream()
            .anyMatch(
                type ->
                    type.getPackageName().startsWith(name)
                        && !type.getSimpleName().equals("package-info")),
        "the classes of " + name + " were not found where Maven puts them");
  }

  private static boolean isCode(Path source, String name) {
    String path = source.toString();
    return path.contains("src/main/java/" + name.replace('.', '/') + "/")
        && !path.endsWith("package-info.java");
  }

  @Test
  void coreKnowsOnlyJavaAndJackson() {
    holds(
        classes()
            .that()
            .resideInAPackage(CORE)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "com.fasterxml.jackson..", "org.jspecify..", CORE));
  }

  @Test
  void coreDoesNoInputOrOutput() {
    holds(
        noClasses()
            .that()
            .resideInAPackage(CORE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.nio.file..", "java.net.."));
    holds(
        noClasses()
            .that()
            .resideInAPackage(CORE)
            .should()
            .dependOnClassesThat()
            .haveNameMatching("java\\.io\\.(File|RandomAccess).*"));
  }

  @Test
  void coreIsGivenTimeAndChance() {
    holds(
        noClasses()
            .that()
            .resideInAPackage(CORE)
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(LocalDateTime.class, "now")
            .orShould()
            .callMethod(Clock.class, "systemUTC")
            .orShould()
            .callMethod(Math.class, "random")
            .orShould()
            .callMethod(UUID.class, "randomUUID")
            .orShould()
            .callMethod(Thread.class, "sleep", long.class));
  }

  /// Beside the ports' AWS side, the SDK is known where clients are built (`Wiring`) and where the
  /// local stack plays AWS: its emulators, its event sources and the host that joins them.
  @Test
  void awsSdkStaysBehindThePorts() {
    holds(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                AWS,
                "dev.runyard.local",
                "dev.runyard.local.emulator..",
                "dev.runyard.local.events..")
            .and()
            .doNotHaveSimpleName("Wiring")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("software.amazon.awssdk..", "software.amazon.dynamodb.."));
  }

  @Test
  void sqlStaysBehindThePorts() {
    holds(
        noClasses()
            .that()
            .resideOutsideOfPackage(EMBEDDED)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "org.sqlite.."));
  }

  /// What CLIs have in common knows none of them: a CLI's package may use the protocol's, and no
  /// other CLI's.
  @Test
  void backendsOfCLIsKnowNoOtherCLI() {
    String backends = "dev.runyard.runner.backend";
    List<String> shared = List.of(backends, backends + ".cli", backends + ".clientprotocol");
    holds(
        slices()
            .matching(backends + ".(*)..")
            .should()
            .notDependOnEachOther()
            .ignoreDependency(
                resideInAPackage(backends + ".."),
                resideInAnyPackage(shared.toArray(String[]::new)))
            .as("backends of CLIs use only what all have in common"));
  }

  @Test
  void nothingThatIsDeployedUsesTheTwinsOfThePorts() {
    holds(
        noClasses()
            .that()
            .resideOutsideOfPackages(TWINS, TESTKIT)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(TWINS));
  }

  @Test
  void namesSayWhatAThingIs() {
    holds(noClasses().should().haveNameMatching(".*(Util|Utils|Manager|Helper|Impl|Base)"));
  }

  @Test
  void testsNeitherSleepNorSkipNorMock() {
    ArchRule sleepless =
        noClasses()
            .should()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(Thread.class, "sleep", java.time.Duration.class)
            .orShould()
            .callMethod(java.util.concurrent.TimeUnit.class, "sleep", long.class);
    sleepless.check(TESTS);
    noClasses().should().dependOnClassesThat().resideInAPackage("org.mockito..").check(TESTS);
  }

  /// A test is skipped through `@Needs`, so that its reason is known and counted, or not at all.
  @Test
  void testsAreSkippedInOneWay() {
    ArchRule oneWay =
        noClasses()
            .that()
            .resideOutsideOfPackage(NEEDS)
            .should()
            .dependOnClassesThat()
            .haveNameMatching(
                "org\\.junit\\.jupiter\\.api\\.(Disabled|Assumptions|condition\\..*)"
                    + "|org\\.junit\\.jupiter\\.api\\.extension\\.(ExecutionCondition|ConditionEv.*)"
                    + "|org\\.opentest4j\\.TestAbortedException");
    oneWay.check(TESTS);
    oneWay.check(MAIN);
  }

  /// What a port promises is tried on every adapter only where its contract calls it.
  @Test
  void contractsTryEveryMethodOfTheirPort() {
    List<JavaClass> contracts =
        MAIN.stream()
            .filter(type -> type.getSimpleName().endsWith(CONTRACT))
            .filter(type -> !narrows(type))
            .toList();
    assertFalse(contracts.isEmpty());
    for (JavaClass contract : contracts) {
      String port = contract.getSimpleName().replace(CONTRACT, "");
      Set<String> tried =
          Stream.concat(
                  contract.getMethodCallsFromSelf().stream(),
                  contract.getMethodReferencesFromSelf().stream())
              .filter(call -> call.getTargetOwner().getSimpleName().equals(port))
              .map(JavaAccess::getName)
              .collect(Collectors.toSet());
      Set<String> promised =
          MAIN.stream()
              .filter(type -> type.isInterface() && type.getSimpleName().equals(port))
              .flatMap(type -> type.getMethods().stream())
              .filter(method -> method.getModifiers().contains(JavaModifier.ABSTRACT))
              .map(JavaMember::getName)
              .collect(Collectors.toSet());
      assertFalse(promised.isEmpty(), port);
      promised.removeAll(tried);
      assertEquals(Set.of(), promised, contract.getSimpleName());
    }
  }

  /// True for a contract that tries the same port again with other content.
  private static boolean narrows(JavaClass contract) {
    return contract
        .getRawSuperclass()
        .filter(type -> type.getSimpleName().endsWith(CONTRACT))
        .isPresent();
  }

  @Test
  void aBrokenRuleIsNoticed() {
    ArchRule wrong =
        noClasses()
            .that()
            .resideInAPackage(CLI)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.net.http..");
    assertThrows(AssertionError.class, () -> holds(wrong));
    assertTrue(Arrays.stream(new JavaClasses[] {MAIN, TESTS}).allMatch(found -> found.size() > 10));
  }

  private static void holds(ArchRule rule) {
    rule.check(MAIN);
  }
}
