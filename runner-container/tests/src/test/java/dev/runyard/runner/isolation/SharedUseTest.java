package dev.runyard.runner.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Needs(Outside.OWN_USERS)
final class SharedUseTest {
  private static final int ENTRIES_MAX = 200;
  private static final int OTHERS_MAX = 400;
  private static final AgentUser USER = new AgentUser(AgentUser.UID_FIRST + 1);
  private static final AgentUser OTHER = new AgentUser(AgentUser.UID_FIRST + 2);

  @TempDir private Path place = Path.of("");

  @BeforeEach
  void openToAll() throws IOException {
    open(place);
  }

  private static Path open(Path folder) throws IOException {
    return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  /// Where `fs.protected_hardlinks` is 0, anybody may give a file names wherever it may write.
  @Test
  void countsAFileOnceWhoeverGaveItNames() throws IOException {
    Path file = Files.writeString(place.resolve("file"), "12345");
    USER.own(file);
    Path theirs = Files.createDirectory(place.resolve("theirs"));
    OTHER.own(theirs);
    for (int i = 0; i <= ENTRIES_MAX; i++) {
      Files.createLink(place.resolve("name" + i), file);
      Files.createLink(theirs.resolve("name" + i), file);
    }

    assertEquals(new DiskUse(5, 1), use(USER));
    assertTrue(use(OTHER).entries() > ENTRIES_MAX, "names count for whose folder they are in");
    assertTrue(protectedUse(USER).entries() > ENTRIES_MAX, "nobody else could make them");
    open(file);
    assertTrue(protectedUse(USER).entries() > ENTRIES_MAX, "it let others make them");
  }

  /// Or an agent would hide what it has behind names that it gave itself.
  @Test
  void takesSoManyNamesForTooManyThatTheRestIsNotLookedAt() throws IOException {
    Path file = Files.writeString(place.resolve("file"), "12345");
    USER.own(file);
    DiskBounds bounds = new DiskBounds(1_000, ENTRIES_MAX, 1_000, OTHERS_MAX, () -> 0);
    for (int i = 0; i < OTHERS_MAX; i++) {
      Files.createLink(place.resolve("name" + i), file);
    }
    assertEquals(new DiskUse(5, 1), use(USER, bounds));
    assertEquals(new DiskUse(0, 0), use(OTHER, bounds));

    Files.createLink(place.resolve("last"), file);

    assertTrue(use(USER, bounds).entries() > ENTRIES_MAX);
    assertEquals(new DiskUse(0, 0), use(OTHER, bounds));
  }

  @Test
  void countsNamesForWhoeverHasAFolderThatIsOpenToAll() throws IOException {
    Path theirs = Files.createDirectory(place.resolve("theirs"));
    OTHER.own(theirs);
    open(theirs);
    Path file = Files.writeString(theirs.resolve("file"), "12345");
    USER.own(file);
    for (int i = 0; i <= ENTRIES_MAX; i++) {
      Files.createLink(theirs.resolve("name" + i), file);
    }

    assertEquals(new DiskUse(5, 1), use(USER));
    assertTrue(use(OTHER).entries() > ENTRIES_MAX);
  }

  @Test
  void countsEachFileOfItsOwn() throws IOException {
    Path own = Files.createDirectory(place.resolve("own"));
    for (int i = 1; i < ENTRIES_MAX; i++) {
      Files.writeString(own.resolve("file" + i), "1");
    }
    USER.own(own);

    assertEquals(new DiskUse(ENTRIES_MAX - 1, ENTRIES_MAX), use(USER));
    for (int i = 1; i <= 2; i++) {
      Files.createLink(own.resolve("further name" + i), own.resolve("file1"));
    }
    assertTrue(use(USER).entries() > ENTRIES_MAX, "its names are its own");
  }

  /// Who makes folders that are slow to read must not have others ended for it.
  @Test
  void takesWhatIsTooLongToCountForTooManyIfItIsItsOwn() throws IOException {
    Path own = Files.createDirectory(place.resolve("own"));
    for (int i = 0; i < 100; i++) {
      Files.createFile(own.resolve("file" + i));
    }
    USER.own(own);

    assertTrue(slow(USER).entries() > ENTRIES_MAX);
    assertEquals(0, slow(OTHER).entries());
  }

  private DiskUse use(AgentUser user) {
    return use(user, DiskBounds.of(1_000, ENTRIES_MAX));
  }

  private DiskUse slow(AgentUser user) {
    long step = Duration.ofSeconds(DiskBounds.LOOK_SECONDS_MAX).toNanos() / 50;
    AtomicLong now = new AtomicLong();
    return use(
        user, new DiskBounds(1_000, ENTRIES_MAX, 1_000, OTHERS_MAX, () -> now.addAndGet(step)));
  }

  private DiskUse use(AgentUser user, DiskBounds bounds) {
    return use(user, bounds, false);
  }

  private DiskUse protectedUse(AgentUser user) {
    return use(user, DiskBounds.of(1_000, ENTRIES_MAX), true);
  }

  private DiskUse use(AgentUser user, DiskBounds bounds, boolean linksProtected) {
    return SharedUse.add(
        new DiskUse(0, 0), user.uid(), new SharedRemains(List.of(place)), bounds, linksProtected);
  }
}
