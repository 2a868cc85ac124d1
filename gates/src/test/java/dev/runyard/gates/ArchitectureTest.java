package dev.runyard.gates;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Which code may know which. The rules read the compiled classes of every module.
final class ArchitectureTest {
  private static final String ROOT = "dev.runyard.";
  private static final String CORE = "dev.runyard.core..";
  private static final String CORE_FILE = "shared/core/src/main/java/dev/runyard/core/Planted.java";
  private static final String IN_CORE = "package dev.runyard.core; ";
  private static final String BACKENDS = "dev.runyard.runner.backend.";

  /// The modules that each one knows, by the first word of their packages.
  private static final Map<String, Set<String>> KNOWN =
      Map.ofEntries(
          Map.entry("needs", Set.of()),
          Map.entry("core", Set.of()),
          Map.entry("agent", Set.of("core")),
          Map.entry("testkit", Set.of("needs", "core")),
          Map.entry("simulator", Set.of("core")),
          Map.entry("aws", Set.of("core")),
          Map.entry("embedded", Set.of("core")),
          Map.entry("functions", Set.of("aws", "agent", "core")),
          Map.entry("runner", Set.of("aws", "agent", "core")),
          Map.entry("local", Set.of("runner", "functions", "embedded", "aws", "agent", "core")),
          Map.entry("cli", Set.of("local", "runner", "aws", "core")),
          Map.entry(
              "bench", Set.of("cli", "local", "runner", "functions", "embedded", "aws", "core")),
          Map.entry("demo", Set.of("agent", "core")));

  /// What says the time, makes a thread wait, or is different each time.
  private static final Pattern TIME_AND_CHANCE =
      Pattern.compile(
          "java\\.time\\.[\\w.$]+\\.(now\\((java\\.time\\.ZoneId)?\\)|system\\w*\\(.*|tick\\w+\\(.*)"
              + "|java\\.lang\\.System\\.(currentTimeMillis|nanoTime)\\(.*"
              + "|java\\.lang\\.Thread\\.sleep\\(.*|java\\.util\\.(Date|Random)\\.<init>\\(\\)"
              + "|java\\.util\\.concurrent\\.ThreadLocalRandom\\.current\\(\\)"
              + "|java\\.security\\.SecureRandom\\.<init>\\(.*"
              + "|java\\.lang\\.Math\\.random\\(\\)|java\\.util\\.UUID\\.randomUUID\\(\\)");

  @Gate
  @Breach(
      in = CORE_FILE,
      by = IN_CORE + "class Planted { dev.runyard.aws.Settings settings; }",
      named = "dev.runyard.aws.Settings")
  @Breach(
      in = "bench/src/main/java/dev/runyard/bench/Planted.java",
      by = "package dev.runyard.bench; class Planted { dev.runyard.needs.Outside outside; }",
      named = "dev.runyard.needs.Outside")
  @Breach(
      in = "next/src/main/java/dev/runyard/next/Planted.java",
      by = "package dev.runyard.next; class Planted { dev.runyard.core.run.RunFold fold; }",
      named = "dev.runyard.core.run.RunFold")
  void moduleKnowsOnlyTheModulesBelowIt(Repository repository) {
    List<String> others = new ArrayList<>();
    for (JavaClass type : Classes.main(repository)) {
      String module = word(type, ROOT);
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        String used = word(dependency.getTargetClass(), ROOT);
        if (!used.isEmpty()
            && !used.equals(module)
            && !KNOWN.getOrDefault(module, Set.of()).contains(used)) {
          others.add(dependency.getDescription());
        }
      }
    }
    assertEquals(List.of(), others);
  }

  @Gate
  @Breach(
      in = CORE_FILE,
      by = IN_CORE + "class Planted { org.slf4j.Logger log; }",
      named = "org.slf4j.Logger")
  void coreKnowsOnlyJavaAndJackson(Repository repository) {
    holds(
        repository,
        classes()
            .that()
            .resideInAPackage(CORE)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "java..", "javax.crypto..", "com.fasterxml.jackson..", "org.jspecify..", CORE));
  }

  @Gate
  @Breach(
      in = CORE_FILE,
      by = IN_CORE + "class Planted { java.nio.file.Path file; }",
      named = "java.nio.file.Path")
  @Breach(
      in = CORE_FILE,
      by = IN_CORE + "class Planted { java.net.Socket socket; }",
      named = "java.net.Socket")
  @Breach(
      in = CORE_FILE,
      by = IN_CORE + "class Planted { java.io.FileReader file; }",
      named = "java.io.FileReader")
  @Breach(
      in = CORE_FILE,
      by = IN_CORE + "class Planted { java.nio.channels.FileChannel file; }",
      named = "java.nio.channels.FileChannel")
  @Breach(
      in = CORE_FILE,
      by = IN_CORE + "class Planted { ProcessBuilder process; }",
      named = "java.lang.ProcessBuilder")
  @Breach(
      in = CORE_FILE,
      by = IN_CORE + "class Planted { void say() { System.out.println(); } }",
      named = "java.io.PrintStream")
  void coreDoesNoInputOrOutput(Repository repository) {
    holds(
        repository,
        noClasses()
            .that()
            .resideInAPackage(CORE)
            .should()
            .dependOnClassesThat()
            .haveNameMatching(
                "java\\.(nio\\.(file|channels)|net)\\..*"
                    + "|java\\.io\\.(File|RandomAccess|PrintStream|Console).*"
                    + "|java\\.lang\\.Process.*"));
  }

  @Gate
  @Breach(
      in = CORE_FILE,
      by = IN_CORE + "class Planted { Object now = java.time.Instant.now(); }",
      named = "java.time.Instant.now()")
  @Breach(
      in = CORE_FILE,
      by =
          IN_CORE
              + "class Planted { java.util.function.Supplier<?> now = java.time.Instant::now; }",
      named = "java.time.Instant.now()")
  @Breach(
      in = CORE_FILE,
      by = IN_CORE + "class Planted { Object clock = java.time.InstantSource.system(); }",
      named = "java.time.InstantSource.system()")
  @Breach(
      in = CORE_FILE,
      by = IN_CORE + "class Planted { long nanos = System.nanoTime(); }",
      named = "java.lang.System.nanoTime()")
  @Breach(
      in = CORE_FILE,
      by = IN_CORE + "class Planted { Object id = java.util.UUID.randomUUID(); }",
      named = "java.util.UUID.randomUUID()")
  @Breach(
      in = CORE_FILE,
      by = IN_CORE + "class Planted { Object chance = new java.util.Random(); }",
      named = "java.util.Random")
  void coreIsGivenTimeAndChance(Repository repository) {
    holds(
        repository,
        noClasses()
            .that()
            .resideInAPackage(CORE)
            .should()
            .accessTargetWhere(named(TIME_AND_CHANCE)));
  }

  /// A virtual thread keeps its carrier while it waits for a class to be loaded or initialised, and
  /// there are only as many carriers as processors. Where all are kept while the lock that is
  /// waited for is held by a virtual thread without one, none runs again. A runner has one such
  /// thread, for the sake of an interrupt; the clients of a benchmark are too many for threads of
  /// the system.
  @Gate
  @Breach(
      in = CORE_FILE,
      by = IN_CORE + "class Planted { Object threads = Thread.ofVirtual(); }",
      named = "java.lang.Thread.ofVirtual()")
  @Breach(
      in = CORE_FILE,
      by = IN_CORE + "class Planted { Object one = Thread.startVirtualThread(() -> {}); }",
      named = "java.lang.Thread.startVirtualThread(")
  @Breach(
      in = CORE_FILE,
      by =
          IN_CORE
              + "class Planted { java.util.function.Supplier<?> threads ="
              + " java.util.concurrent.Executors::newVirtualThreadPerTaskExecutor; }",
      named = "newVirtualThreadPerTaskExecutor()")
  void virtualThreadsAreNotUsed(Repository repository) {
    Pattern virtual =
        Pattern.compile(
            "java\\.lang\\.Thread\\.(ofVirtual|startVirtualThread)\\(.*"
                + "|java\\.util\\.concurrent\\.Executors\\.newVirtualThreadPerTaskExecutor\\(\\)");
    holds(
        repository,
        noClasses()
            .that()
            .resideOutsideOfPackages("dev.runyard.bench..", "dev.runyard.testkit..")
            .and()
            .doNotHaveFullyQualifiedName("dev.runyard.runner.Main")
            .should()
            .accessTargetWhere(named(virtual)));
  }

  /// The JDK's servers have their settings from system properties that are read once: what creates
  /// the first one of a process decides them for all.
  @Gate
  @Breach(
      in = "local/src/main/java/dev/runyard/local/Planted.java",
      by =
          "package dev.runyard.local; class Planted { Object server() throws java.io.IOException {"
              + " return com.sun.net.httpserver.HttpServer.create(); } }",
      named = "com.sun.net.httpserver.HttpServer.create()")
  void localServersHaveTheSameSettings(Repository repository) {
    holds(
        repository,
        noClasses()
            .that()
            .resideInAnyPackage("dev.runyard.local..", "dev.runyard.cli..")
            .and()
            .doNotHaveSimpleName("LoopbackServer")
            .should()
            .accessTargetWhere(
                named(Pattern.compile("com\\.sun\\.net\\.httpserver\\.HttpServer\\.create\\(.*"))));
  }

  /// Beside the ports' AWS side, the SDK is known where clients are built (`Wiring`), where the
  /// local stack plays AWS - its emulators, its event sources and the host that joins them - and
  /// where its calls are counted.
  @Gate
  @Breach(
      in = "functions/src/main/java/dev/runyard/functions/Planted.java",
      by =
          "package dev.runyard.functions;"
              + " class Planted { software.amazon.awssdk.regions.Region region; }",
      named = "software.amazon.awssdk.regions.Region")
  void awsSdkStaysBehindThePorts(Repository repository) {
    holds(
        repository,
        noClasses()
            .that()
            .resideOutsideOfPackages(
                "dev.runyard.aws..",
                "dev.runyard.local",
                "dev.runyard.local.emulator..",
                "dev.runyard.local.events..",
                "dev.runyard.bench.cost..")
            .and()
            .doNotHaveSimpleName("Wiring")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("software.amazon.awssdk..", "software.amazon.dynamodb.."));
  }

  @Gate
  @Breach(
      in = "functions/src/main/java/dev/runyard/functions/Planted.java",
      by = "package dev.runyard.functions; class Planted { java.sql.Connection database; }",
      named = "java.sql.Connection")
  void sqlStaysBehindThePorts(Repository repository) {
    holds(
        repository,
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.runyard.embedded..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "org.sqlite.."));
  }

  /// What CLIs have in common knows none of them: a CLI's package may use the protocol's, and no
  /// other CLI's.
  @Gate
  @Breach(
      in = "runner-container/src/main/java/dev/runyard/runner/backend/cli/Planted.java",
      by =
          "package dev.runyard.runner.backend.cli;"
              + " class Planted { dev.runyard.runner.backend.pi.PiBackend other; }",
      named = "dev.runyard.runner.backend.pi.PiBackend")
  void backendsOfCLIsKnowNoOtherCLI(Repository repository) {
    Set<String> shared = Set.of("", "cli", "clientprotocol");
    List<String> others = new ArrayList<>();
    for (JavaClass type : Classes.main(repository)) {
      String cli = word(type, BACKENDS);
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        String used = word(dependency.getTargetClass(), BACKENDS);
        if (!cli.isEmpty() && !cli.equals(used) && !shared.contains(used)) {
          others.add(dependency.getDescription());
        }
      }
    }
    assertEquals(List.of(), others, "backends of CLIs use only what all have in common");
  }

  @Gate
  @Breach(
      in = "functions/src/main/java/dev/runyard/functions/Planted.java",
      by =
          "package dev.runyard.functions;"
              + " class Planted { dev.runyard.core.memory.MemoryEventLog log; }",
      named = "dev.runyard.core.memory.MemoryEventLog")
  void nothingThatIsDeployedUsesTheTwinsOfThePorts(Repository repository) {
    String twins = "dev.runyard.core.memory..";
    holds(
        repository,
        noClasses()
            .that()
            .resideOutsideOfPackages(
                twins, "dev.runyard.testkit..", "dev.runyard.simulator..", "dev.runyard.bench..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(twins));
  }

  @Gate
  @Breach(in = CORE_FILE, by = IN_CORE + "class RunHelper {}", named = "dev.runyard.core.RunHelper")
  @Breach(
      in = CORE_FILE,
      by = IN_CORE + "class Run { interface Log {} class LogImpl implements Log {} }",
      named = "dev.runyard.core.Run$LogImpl")
  void namesSayWhatAThingIs(Repository repository) {
    ArchRule rule =
        noClasses().should().haveNameMatching(".*(Util|Utils|Manager|Helper|Impl|Base)");
    holds(repository, rule);
    rule.check(Classes.tests(repository));
  }

  /// The word of a type's package that follows `above`, or nothing.
  private static String word(JavaClass type, String above) {
    String name = type.getPackageName();
    return name.startsWith(above) ? name.substring(above.length()).split("\\.", 2)[0] : "";
  }

  /// An access by whatever means: a call, or a reference to a method.
  static DescribedPredicate<JavaAccess<?>> named(Pattern name) {
    return DescribedPredicate.describe(
        "is one of these", access -> name.matcher(access.getTarget().getFullName()).matches());
  }

  private static void holds(Repository repository, ArchRule rule) {
    rule.check(Classes.main(repository));
  }
}
