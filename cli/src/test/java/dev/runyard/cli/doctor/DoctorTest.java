package dev.runyard.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
  void triesWhetherTheCacheCanBeWritten() throws Exception {
    assertTrue(check("cache").ok());
    Path file = Files.createFile(cache.resolve("file"));
    List<Check> checks = new Doctor(programs(), file).examine();
    assertTrue(checks.stream().anyMatch(check -> check.name().equals("cache") && !check.ok()));
  }

  @Test
  void theTestsRunOnTheJdkThatIsNeeded() throws Exception {
    assertTrue(check("java").ok());
  }

  private Check check(String name) throws InterruptedException {
    return examine().stream().filter(check -> check.name().equals(name)).findFirst().orElseThrow();
  }

  private List<Check> examine() throws InterruptedException {
    return new Doctor(programs(), cache).examine();
  }

  private Programs programs() {
    return new Programs(Map.of("PATH", path.toString()));
  }

  private void program(String name, String script) throws IOException {
    Path file = path.resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    assertTrue(file.toFile().setExecutable(true));
  }
}
