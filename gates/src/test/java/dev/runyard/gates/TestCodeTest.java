package dev.runyard.gates;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// How tests are written: none waits for a clock, replaces what it tests or skips itself, and none
/// leaves out what a port promises.
final class TestCodeTest {
  private static final String TEST_FILE = "cli/src/test/java/dev/runyard/cli/Planted.java";
  private static final String TESTKIT_FILE =
      "shared/testkit/src/main/java/dev/runyard/testkit/Planted.java";
  private static final String CONTRACT = "Contract";
  private static final String TESTS = "src/test/java/";
  private static final Pattern A_TEST =
      Pattern.compile(
          "^  @((Parameterized|Repeated)?Test|TestFactory|TestTemplate|Gate)\\b",
          Pattern.MULTILINE);
  private static final Pattern OWN_USERS = Pattern.compile("@Needs\\([^)]*\\bOWN_USERS\\b");
  private static final Pattern RUN = Pattern.compile("dev/runyard/[\\w*/]+IT\\b");
  private static final Pattern SLEEP =
      Pattern.compile("java\\.(lang\\.Thread|util\\.concurrent\\.TimeUnit)\\.sleep\\(.*");

  @Gate
  @Breach(
      in = TEST_FILE,
      by = "class Planted { void await() throws Exception { Thread.sleep(1); } }",
      named = "java.lang.Thread.sleep(long)")
  @Breach(
      in = TEST_FILE,
      by =
          "class Planted { void await() throws Exception {"
              + " java.util.concurrent.TimeUnit.SECONDS.sleep(1); } }",
      named = "java.util.concurrent.TimeUnit.sleep(long)")
  @Breach(
      in = TEST_FILE,
      by =
          "class Planted { interface Pause { void of(long millis) throws Exception; }"
              + " Pause pause = Thread::sleep; }",
      named = "java.lang.Thread.sleep(long)")
  void testsDoNotSleep(Repository repository) {
    noClasses()
        .should()
        .accessTargetWhere(ArchitectureTest.named(SLEEP))
        .check(Classes.tests(repository));
  }

  @Gate
  @Breach(
      in = TEST_FILE,
      by = "package org.mockito; class Mock {} class Planted { Mock mock; }",
      named = "org.mockito.Mock")
  void testsDoNotMock(Repository repository) {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.mockito..", "org.easymock..")
        .check(Classes.tests(repository));
  }

  /// A test is skipped through `@Needs`, so that its reason is known and counted, or not at all.
  @Gate
  @Breach(
      in = TEST_FILE,
      by = "class Planted { @org.junit.jupiter.api.Disabled void one() {} }",
      named = "org.junit.jupiter.api.Disabled")
  @Breach(
      in = TEST_FILE,
      by = "class Planted { void one() { org.junit.jupiter.api.Assumptions.assumeTrue(false); } }",
      named = "org.junit.jupiter.api.Assumptions")
  @Breach(
      in = TEST_FILE,
      by =
          "import org.junit.jupiter.api.condition.*;"
              + " class Planted { @EnabledOnOs(OS.MAC) void one() {} }",
      named = "org.junit.jupiter.api.condition.EnabledOnOs")
  @Breach(
      in = TEST_FILE,
      by = "class Planted { void one() { throw new org.opentest4j.TestAbortedException(); } }",
      named = "org.opentest4j.TestAbortedException")
  void testsAreSkippedInOneWay(Repository repository) {
    ArchRule oneWay =
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.runyard.needs..")
            .should()
            .dependOnClassesThat()
            .haveNameMatching(
                "org\\.junit\\.jupiter\\.api\\.(Disabled|Assumptions|condition\\..*)"
                    + "|org\\.junit\\.jupiter\\.api\\.extension\\.(ExecutionCondition|ConditionEv.*)"
                    + "|org\\.opentest4j\\.TestAbortedException");
    oneWay.check(Classes.tests(repository));
    oneWay.check(Classes.main(repository));
  }

  /// Users of attempts are the machine's, and modules are tested side by side, these two excepted.
  @Gate
  @Breach(in = TEST_FILE, by = "@" + "Needs(Outside.OWN_USERS) class Planted {}", named = TEST_FILE)
  @Breach(
      in = "system-tests/pom.xml",
      by = "<artifactId>runyard-cli</artifactId>",
      named = "system-tests wait for runyard-runner-tests")
  void usersOfAttemptsAreTestedInModulesThatWaitForEachOther(Repository repository) {
    assertTrue(
        repository.text("system-tests/pom.xml").contains(">runyard-runner-tests<"),
        "system-tests wait for runyard-runner-tests");
    assertEquals(
        List.of(),
        repository.files(".java").stream()
            .filter(file -> !file.startsWith("runner-container/tests/"))
            .filter(file -> !file.startsWith("system-tests/"))
            .filter(file -> OWN_USERS.matcher(repository.text(file)).find())
            .toList());
  }

  /// Maven runs the classes called `…Test`, and of those called `…IT` the ones a pom.xml names.
  @Gate
  @Breach(
      in = "cli/src/test/java/dev/runyard/cli/Checks.java",
      by = "class Checks {\n  @Test\n  void one() {}\n}",
      named = "dev/runyard/cli/Checks")
  @Breach(
      in = "system-tests/src/test/java/dev/runyard/system/other/OtherIT.java",
      by = "class OtherIT {\n  @Test\n  void one() {}\n}",
      named = "dev/runyard/system/other/OtherIT")
  @Breach(
      in = "gates/pom.xml",
      replace = "<test>dev/runyard/gates/closing/*IT</test>",
      by = "",
      named = "dev/runyard/gates/closing/SkippedTestsIT")
  void everyTestIsRun(Repository repository) {
    List<String> patterns =
        repository.files("pom.xml").stream()
            .flatMap(pom -> RUN.matcher(repository.text(pom)).results())
            .map(run -> run.group().replace("*", "[^/]*"))
            .toList();
    assertEquals(
        List.of(),
        repository.files(".java").stream()
            .filter(file -> file.contains(TESTS) && !file.endsWith("Test.java"))
            .filter(file -> A_TEST.matcher(repository.text(file)).find())
            .map(file -> file.replaceAll(".*" + TESTS + "|\\.java", ""))
            .filter(type -> patterns.stream().noneMatch(type::matches))
            .toList());
  }

  /// What a port promises is tried on every adapter only where its contract calls it.
  @Gate
  @Breach(
      in = TESTKIT_FILE,
      by =
          "interface Box { void put(); void take(); }"
              + " abstract class BoxContract { abstract Box box(); void puts() { box().put(); } }",
      named = "BoxContract does not try [take]")
  @Breach(in = TESTKIT_FILE, by = "class CrateContract {}", named = "CrateContract is of no port")
  void contractsTryEveryMethodOfTheirPort(Repository repository) {
    JavaClasses types = Classes.main(repository);
    List<String> lacks = new ArrayList<>();
    List<JavaClass> contracts =
        types.stream()
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
          types.stream()
              .filter(type -> type.isInterface() && type.getSimpleName().equals(port))
              .flatMap(type -> type.getMethods().stream())
              .filter(method -> method.getModifiers().contains(JavaModifier.ABSTRACT))
              .map(JavaMember::getName)
              .collect(Collectors.toSet());
      if (promised.isEmpty()) {
        lacks.add(contract.getSimpleName() + " is of no port");
      }
      promised.removeAll(tried);
      if (!promised.isEmpty()) {
        lacks.add(contract.getSimpleName() + " does not try " + promised);
      }
    }
    assertEquals(List.of(), lacks);
  }

  /// True for a contract that tries the same port again with other content.
  private static boolean narrows(JavaClass contract) {
    return contract
        .getRawSuperclass()
        .filter(type -> type.getSimpleName().endsWith(CONTRACT))
        .isPresent();
  }
}
