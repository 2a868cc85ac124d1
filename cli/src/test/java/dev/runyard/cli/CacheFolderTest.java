package dev.runyard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.cli.install.AgentPackage;
import dev.runyard.runner.AgentPrograms;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CacheFolderTest {
  private static final Map<String, String> HOME = Map.of("HOME", "/people/ada");

  @Test
  void isInTheHomeOfAPerson() {
    assertEquals(Path.of("/people/ada/.cache/runyard"), CacheFolder.of(HOME, false));
  }

  /// Root's home is closed to the users of attempts.
  @Test
  void isOutsideOfTheHomeOfRoot() {
    assertEquals(Path.of("/var/cache/runyard"), CacheFolder.of(Map.of("HOME", "/root"), true));
  }

  @Test
  void isWhereVariablesSay() {
    assertEquals(Path.of("/x/runyard"), CacheFolder.of(Map.of("XDG_CACHE_HOME", "/x"), true));
    assertEquals(
        Path.of("/y"),
        CacheFolder.of(Map.of("XDG_CACHE_HOME", "/x", "RUNYARD_CACHE", "/y"), false));
  }

  /// Isolation looks whether users of attempts reach these.
  @Test
  void everyProgramThatIsInstalledIsOneThatIsolationKnows() {
    assertEquals(
        AgentPrograms.COMMANDS,
        AgentPackage.all().stream().map(AgentPackage::command).sorted().toList());
  }
}
