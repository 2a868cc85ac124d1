package dev.runyard.agent.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClassCopiesTest {
  @TempDir private Path folder;
  private Path home;
  private Path copies;

  @BeforeEach
  void make() throws IOException {
    permit(folder, "rwx--x--x");
    home = Files.createDirectory(folder.resolve("home"));
    copies = folder.resolve("copies");
  }

  @Test
  void areMadeOfWhatIsBelowAClosedFolder() throws IOException {
    Path jar = Files.writeString(home.resolve("a.jar"), "jar");
    Path inner = Files.createDirectories(home.resolve("classes/dev"));
    Files.writeString(inner.resolve("A.class"), "class");
    permit(home, "rwx------");

    List<Path> found = ClassCopies.copies(copies, List.of(jar, home.resolve("classes")));

    assertTrue(found.stream().allMatch(one -> one.startsWith(copies)), found.toString());
    assertEquals("jar", Files.readString(found.getFirst()));
    assertEquals("class", Files.readString(found.getLast().resolve("dev/A.class")));
    assertTrue(ClassCopies.reachable(found.getFirst()));
    assertTrue(ClassCopies.reachable(found.getLast().resolve("dev/A.class")));
  }

  @Test
  void areNotMadeOfWhatIsReached() throws IOException {
    permit(home, "rwx--x--x");
    Path jar = Files.writeString(home.resolve("a.jar"), "jar");
    permit(jar, "rw-r--r--");
    Path none = home.resolve("none.jar");

    assertEquals(List.of(jar, none), ClassCopies.copies(copies, List.of(jar, none)));
    assertFalse(Files.exists(copies));
    permit(jar, "rw-------");
    assertNotEquals(List.of(jar), ClassCopies.copies(copies, List.of(jar)));
  }

  @Test
  void areReplacedWhenTheirOriginalsChange() throws IOException {
    Path jar = Files.writeString(home.resolve("a.jar"), "old");
    permit(home, "rwx------");
    Path copy = ClassCopies.copies(copies, List.of(jar)).getFirst();
    FileTime before = Files.getLastModifiedTime(copy);
    assertEquals(before, Files.getLastModifiedTime(jar));
    Files.writeString(jar, "new");
    Files.setLastModifiedTime(jar, FileTime.from(before.toInstant().plus(Duration.ofSeconds(1))));

    assertEquals(copy, ClassCopies.copies(copies, List.of(jar)).getFirst());
    assertEquals("new", Files.readString(copy));
  }

  private static void permit(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }
}
