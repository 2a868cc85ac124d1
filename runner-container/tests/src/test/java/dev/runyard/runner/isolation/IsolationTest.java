package dev.runyard.runner.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.SandboxApplied;
import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class IsolationTest {
  @TempDir Path folder;

  @Test
  void knowsItsWords() {
    assertEquals(IsolationChoice.AUTO, IsolationChoice.of("auto"));
    assertEquals(
        IsolationLevel.BUBBLEWRAP, IsolationChoice.of("bubblewrap").required().orElseThrow());
    assertThrows(IllegalStateException.class, () -> IsolationChoice.of("some"));
  }

  @Test
  void saysOfNoneThatNothingIsEnforced() throws IOException {
    Isolation isolation = decide("none", folder, "", List.of());
    SandboxApplied told = isolation.cell("run.1", List.of(folder)).told().orElseThrow();
    assertEquals("none", told.level());
    assertEquals(NotEnforced.BY_NOTHING, told.notEnforced());
    assertTrue(told.notEnforced().contains("stack_files"), told::toString);
    assertTrue(told.limits().isEmpty());
  }

  @Test
  void startsNothingWithoutWhatIsRequired() {
    IsolationRefused refused =
        assertThrows(
            IsolationRefused.class, () -> decide("bubblewrap", folder, "/none", List.of()));
    assertTrue(refused.toString().contains("bubblewrap is not installed"), refused::toString);
  }

  @Test
  @Needs(Outside.OWN_USERS)
  void startsNothingWhereUsersCannotReachTheirFolders() throws IOException {
    Path closed = Files.createDirectory(folder.resolve("closed"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    IsolationRefused refused =
        assertThrows(
            IsolationRefused.class,
            () -> decide("uid", closed.resolve("work"), "/none", List.of()));
    assertTrue(refused.toString().contains("cannot reach " + closed), refused::toString);
    Isolation best = decide("auto", closed.resolve("work"), "/none", List.of());
    assertEquals(IsolationLevel.NONE, best.level());
    assertTrue(best.reason().contains("cannot reach"), best.reason());
  }

  @Test
  @Needs(Outside.OWN_USERS)
  void takesUsersOnlyWhereTheyCanStartAgentsUnlessTheyAreRequired() throws IOException {
    open(folder);
    Path programs = Files.createDirectory(folder.resolve("bin"));
    Files.setPosixFilePermissions(programs, PosixFilePermissions.fromString("rwx------"));
    Path work = folder.resolve("work");
    assertEquals(IsolationLevel.NONE, decide("auto", work, "/none", List.of(programs)).level());
    assertEquals(IsolationLevel.UID, decide("uid", work, "/none", List.of(programs)).level());
    open(programs);
    assertEquals(IsolationLevel.UID, decide("auto", work, "/none", List.of(programs)).level());
  }

  @Test
  void readsTheNamesOfUsers() throws IOException {
    Path passwd = folder.resolve("passwd");
    Files.writeString(
        passwd,
        "root:x:0:0::/root:/bin/sh\nrunyard-66001:x:66001:66001::/:/bin/sh\njo:x:66002:1::/:\n?\n");
    AgentNames names = AgentNames.in(passwd);
    assertEquals(Set.of(66_001), names.own());
    assertEquals(Set.of(0, 66_002), names.foreign());
    assertEquals(Set.of(), AgentNames.in(folder.resolve("none")).own());
  }

  private static void open(Path path) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
  }

  private static Isolation decide(String choice, Path work, String path, List<Path> programs)
      throws IOException {
    return Isolation.decide(
        new Isolation.Setting(
            IsolationChoice.of(choice), "", work, CellRig.LIMITS, path, programs));
  }
}
