package dev.runyard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.needs.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the launcher script in a small project with a Maven and a JDK that only note how they are
/// called.
final class LauncherTest {
  private static final List<String> MODULES =
      List.of("shared/core", "shared/aws", "functions", "runner-container", "local", "cli");

  @TempDir private Path folder = Path.of("");

  private Path project = Path.of("");
  private Path bin = Path.of("");
  private Path jdk = Path.of("");

  private record Outcome(int exit, String out, String err, long pid) {}

  @BeforeEach
  void makeProject() throws IOException {
    project = Files.createDirectories(folder.resolve("a project"));
    bin = Files.createDirectories(folder.resolve("bin"));
    jdk = Files.createDirectories(folder.resolve("a jdk"));
    Path script = Path.of(Objects.requireNonNull(System.getProperty("runyard.home")), "runyard");
    Program.write(project.resolve("runyard"), Files.readString(script));
    Files.writeString(project.resolve("pom.xml"), "");
    for (String module : MODULES) {
      Path main = Files.createDirectories(project.resolve(module).resolve("src/main/java"));
      Files.writeString(main.resolve("A.java"), "");
      Files.writeString(project.resolve(module).resolve("pom.xml"), "");
    }
    Files.createDirectories(jdk.resolve("bin"));
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.3\"\n");
    program(jdk.resolve("bin/javac"), "");
    program(jdk.resolve("bin/jar"), "");
    program(jdk.resolve("bin/java"), "echo pid $$; printf '%s\\n' \"$@\"");
    program(
        bin.resolve("mvn"),
        """
        echo noise; echo "$@" >>'%s'
        mkdir -p cli/target/lib && : >cli/target/lib/some.jar && : >cli/target/runyard-cli-1.jar
        """
            .formatted(folder.resolve("builds")));
  }

  @Test
  void buildsOnFirstUseAndOnlyThen() throws Exception {
    Outcome first = launch("get", "a b", "*");
    assertEquals(0, first.exit(), first.err());
    assertTrue(first.err().contains("building"), first.err());
    assertTrue(first.out().endsWith("dev.runyard.cli.Main\nget\na b\n*\n"), first.out());
    assertTrue(first.out().contains("-Drunyard.home=" + project), first.out());
    assertTrue(
        first
            .out()
            .contains(
                project.resolve("cli/target/runyard-cli-1.jar")
                    + ":"
                    + project.resolve("cli/target/lib/some.jar")),
        first.out());
    Outcome second = launch("get");
    assertEquals("", second.err());
    assertEquals(1, builds());
  }

  @Test
  void namesAnHttpServiceThatIsInstalled() throws Exception {
    String setting = "-Dsoftware.amazon.awssdk.http.service.impl=";
    launch("list");
    String service =
        launch("list")
            .out()
            .lines()
            .filter(line -> line.startsWith(setting))
            .map(line -> line.substring(setting.length()))
            .findFirst()
            .orElseThrow();
    assertEquals(service, Class.forName(service).getName());
  }

  @Test
  void namesFilesInUtf8WhateverTheLocaleIs() throws Exception {
    program(jdk.resolve("bin/java"), "locale charmap; echo $LC_ALL");
    launch("list");
    for (String locale : List.of("C", "xx_XX.UTF-8", "C.UTF-8")) {
      assertEquals("UTF-8\nC.UTF-8\n", launchIn(locale, "list").out(), locale);
    }
  }

  @Test
  void becomesTheJvmSoThatSignalsReachIt() throws Exception {
    launch("list");
    Outcome outcome = launch("list");
    assertEquals("pid " + outcome.pid(), outcome.out().lines().findFirst().orElseThrow());
  }

  @Test
  void buildsAgainWhenASourceChangedOrIsGone() throws Exception {
    launch("list");
    Path source = project.resolve("functions/src/main/java/A.java");
    Files.writeString(source, "changed");
    launch("list");
    assertEquals(2, builds());
    Files.delete(source);
    launch("list");
    assertEquals(3, builds());
    launch("list");
    assertEquals(3, builds());
  }

  @Test
  void noticesAnOlderSourceThatReplacedANewerOne() throws Exception {
    launch("list");
    Path source = project.resolve("functions/src/main/java/A.java");
    Files.setLastModifiedTime(source, FileTime.from(Instant.EPOCH));
    launch("list");
    assertEquals(2, builds());
  }

  @Test
  void buildsAgainWhenABuildFileChanged() throws Exception {
    launch("list");
    Files.writeString(project.resolve("local/pom.xml"), "changed");
    launch("list");
    assertEquals(2, builds());
  }

  @Test
  void worksThroughLinksFromAnywhere() throws Exception {
    Path link = folder.resolve("link to it");
    Files.createSymbolicLink(bin.resolve("inner"), Path.of("../a project/runyard"));
    Files.createSymbolicLink(link, Path.of("bin/inner"));
    Outcome outcome = run(folder.getRoot(), link, "list");
    assertEquals(0, outcome.exit(), outcome.err());
    assertTrue(outcome.out().contains("-Drunyard.home=" + project.toRealPath()), outcome.out());
  }

  @Test
  void failedBuildStartsNothingAndIsTriedAgain() throws Exception {
    program(bin.resolve("mvn"), "echo 'compilation failure'; exit 1");
    Outcome outcome = launch("list");
    assertEquals(1, outcome.exit());
    assertEquals("", outcome.out());
    assertTrue(outcome.err().contains("compilation failure"), outcome.err());
    assertEquals(1, launch("list").exit());
  }

  @Test
  void buildsOnceForTwoThatStartTogether() throws Exception {
    List<Process> both =
        List.of(
            start(project, project.resolve("runyard"), "a"),
            start(project, project.resolve("runyard"), "b"));
    for (Process process : both) {
      assertEquals(0, outcome(process).exit());
    }
    assertEquals(1, builds());
  }

  @Test
  void leavesALockOfADeadLauncherBehind() throws Exception {
    Path lock = Files.createDirectories(project.resolve("cli/target/launcher.lock"));
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    Files.writeString(lock.resolve("pid"), Long.toString(dead.pid()));
    assertEquals(0, launch("list").exit());
    assertEquals(1, builds());
  }

  private Outcome launch(String... arguments) throws IOException, InterruptedException {
    return run(project, project.resolve("runyard"), arguments);
  }

  private Outcome run(Path from, Path script, String... arguments)
      throws IOException, InterruptedException {
    return outcome(start(from, script, arguments));
  }

  private Outcome launchIn(String locale, String... arguments)
      throws IOException, InterruptedException {
    ProcessBuilder builder = builder(project, project.resolve("runyard"), arguments);
    builder.environment().put("LC_ALL", locale);
    return outcome(builder.start());
  }

  private Process start(Path from, Path script, String... arguments) throws IOException {
    return builder(from, script, arguments).start();
  }

  private ProcessBuilder builder(Path from, Path script, String... arguments) {
    ProcessBuilder builder =
        new ProcessBuilder(
                Stream.concat(Stream.of(script.toString()), Stream.of(arguments)).toList())
            .directory(from.toFile());
    Map<String, String> env = builder.environment();
    env.put("JAVA_HOME", jdk.toString());
    env.put("PATH", bin + ":" + env.get("PATH"));
    return builder;
  }

  private static Outcome outcome(Process process) throws IOException, InterruptedException {
    String out =
        new String(
            process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    String err =
        new String(
            process.getErrorStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), out, err, process.pid());
  }

  private long builds() throws IOException {
    return Files.readAllLines(folder.resolve("builds")).size();
  }

  private static void program(Path file, String script) throws IOException {
    Program.write(file, "#!/bin/sh\n" + script + "\n");
  }
}
