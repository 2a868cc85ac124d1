package dev.runyard.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.cli.install.AgentPackage;
import dev.runyard.needs.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DoctorTest {
  @TempDir private Path path = Path.of("");
  @TempDir private Path cache = Path.of("");

  @Test
  void findsProgramsAndTheirVersions() throws Exception {
    program("npm", "echo; printf '\\033[1mnpm 1.2.3\\033[m\\nmore\\n'");
    Check npm = check("npm");
    assertTrue(npm.ok() && npm.required());
    assertEquals("npm 1.2.3", npm.version());
    assertEquals(path.resolve("npm").toString(), npm.where());
  }

  @Test
  void programThatFailsIsNotUsable() throws Exception {
    program("node", "echo broken; exit 3");
    Check node = check("node");
    assertFalse(node.ok());
    assertEquals(path.resolve("node").toString(), node.where());
  }

  @Test
  void missingProgramsComeWithAHint() throws Exception {
    for (Check check : examine()) {
      assertTrue(
          check.ok() || (!check.hint().isBlank() && !check.purpose().isBlank()), check.name());
    }
    assertFalse(check("codex").ok());
    assertFalse(check("codex").required());
    assertTrue(check("mvn").required());
  }

  @Test
  void anOldGitIsNotUsable() throws Exception {
    program("git", "echo git version 2.38.9");
    assertFalse(check("git").ok());
    program("git", "echo git version 2.39.5");
    assertTrue(check("git").ok());
  }

  @Test
  void asksSshForItsVersionInItsOwnWay() throws Exception {
    program("ssh", "test \"$*\" = -V && echo OpenSSH_9.2p1 >&2");
    assertTrue(check("ssh").ok());
    assertEquals("OpenSSH_9.2p1", check("ssh").version());
  }

  @Test
  void triesWhetherTheCacheCanBeWritten() throws Exception {
    assertTrue(check("cache").ok());
    Path file = Files.createFile(cache.resolve("file"));
    List<Check> checks = new Doctor(env(), file).examine();
    assertTrue(checks.stream().anyMatch(check -> check.name().equals("cache") && !check.ok()));
  }

  @Test
  void saysWhatKeepsRunsApartAndWhy() throws Exception {
    Check isolation = check("isolation");
    assertFalse(isolation.required());
    String said = isolation.ok() ? String.valueOf(isolation.where()) : isolation.purpose();
    assertTrue(said.matches(isolation.ok() ? "(uid|bubblewrap): .+" : "none: .+"), said);
    try (Stream<Path> left = Files.list(cache.resolve("work"))) {
      assertEquals(List.of(), left.toList());
    }
  }

  @Test
  void saysWhichAgentsWereTestedAndWhoseProviderLetsThemIn() throws Exception {
    AgentPackage gemini = AgentPackage.of("gemini_cli");
    program("gemini", "echo " + gemini.version());
    program("codex", "echo codex-cli 0.1.2");
    Check tested = check("gemini");
    assertEquals(gemini.version(), tested.version());
    assertEquals(true, tested.tested());
    assertEquals(true, tested.loggedIn());
    assertTrue(tested.purpose().endsWith("gemini_cli and gemini_acp"));
    Check other = check("codex");
    assertEquals("0.1.2", other.version());
    assertEquals(false, other.tested());
    assertEquals(false, other.loggedIn());
    assertEquals("runyard install codex", other.hint());
  }

  @Test
  void findsAnInstalledAgentWithoutAskingIt() throws Exception {
    AgentPackage pi = AgentPackage.of("pi");
    Path file = pi.folder(cache).resolve(pi.program());
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\nexit 1\n");
    assertTrue(file.toFile().setExecutable(true));
    assertEquals(pi.version(), check("pi").version());
    assertEquals(true, check("pi").tested());
  }

  @Test
  void theTestsRunOnTheJdkThatIsNeeded() throws Exception {
    assertTrue(check("java").ok());
  }

  private Check check(String name) throws InterruptedException {
    return examine().stream().filter(check -> check.name().equals(name)).findFirst().orElseThrow();
  }

  private List<Check> examine() throws InterruptedException {
    return new Doctor(env(), cache).examine();
  }

  private Map<String, String> env() {
    return Map.of("PATH", path.toString(), "GEMINI_API_KEY", "x");
  }

  private void program(String name, String script) throws IOException {
    Program.write(path.resolve(name), "#!/bin/sh\n" + script + "\n");
  }
}
