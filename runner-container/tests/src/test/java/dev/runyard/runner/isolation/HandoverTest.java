package dev.runyard.runner.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import dev.runyard.runner.files.FolderWalk;
import dev.runyard.runner.files.Pinned;
import dev.runyard.runner.files.Removal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Folders that change their owner while somebody whom an agent let into them changes what is
/// there.
@Needs(Outside.OWN_USERS)
final class HandoverTest {
  private static final AgentUser FIRST = new AgentUser(AgentUser.UID_FIRST);
  private static final AgentUser SECOND = new AgentUser(AgentUser.UID_FIRST + 1);

  @TempDir private Path folder = Path.of("");

  @Test
  void givesWhatItVisitsWhateverIsExchanged() throws IOException {
    exchange("given", 0, new Handover(0, FIRST.uid()));
    exchange("taken", FIRST.uid(), new Handover(FIRST.uid(), 0));
    exchange("closed", FIRST.uid(), new Handover.Closing(FIRST));
    for (int uid : new int[] {owner(moved("given")), owner(moved("given").resolve("moved file"))}) {
      assertEquals(FIRST.uid(), uid);
    }
    for (int uid : new int[] {owner(moved("taken")), owner(moved("taken").resolve("moved file"))}) {
      assertEquals(0, uid);
    }
    assertEquals(0, owner(moved("closed")));
    assertEquals(FIRST.uid(), owner(moved("closed").resolve("moved file")));
  }

  /// Links of the same names lead to files of a third one meanwhile.
  private void exchange(String name, int uid, FolderWalk.Each each) throws IOException {
    Path shared = Files.createDirectory(folder.resolve(name));
    Path outside = Files.createDirectory(folder.resolve("outside " + name));
    Path secret = Files.createFile(outside.resolve("file"));
    Path within = Files.createDirectory(shared.resolve("folder"));
    own(uid, within, Files.createFile(within.resolve("file")));
    own(uid, outside, secret);

    try (Pinned held = Pinned.at(shared)) {
      FolderWalk.walk(held, 9, new Exchanging(each, shared, outside));
    }

    assertTrue(Files.isSymbolicLink(shared.resolve("folder")));
    assertEquals(uid, owner(outside));
    assertEquals(uid, owner(secret));
  }

  private Path moved(String name) {
    return folder.resolve(name).resolve("moved folder");
  }

  @Test
  void leavesNoFolderOpenToOthers() throws IOException {
    Path shared = Files.createDirectory(folder.resolve("shared"));
    Path open = Files.createDirectories(shared.resolve("a/open"));
    Path file = Files.createFile(open.resolve("file"));
    FIRST.own(shared);
    for (Path each : List.of(open, file)) {
      Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    FIRST.takeBack(shared);

    assertEquals(0, owner(open));
    assertEquals("rwxr-xr-x", PosixFilePermissions.toString(Files.getPosixFilePermissions(open)));
    assertEquals("rwxrwxrwx", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
  }

  @Test
  void takesNothingThatOthersMadeInAFolder() throws IOException {
    Path shared = Files.createDirectory(folder.resolve("shared"));
    Path others = Files.createFile(shared.resolve("others"));
    Path linked = Files.createFile(folder.resolve("linked"));
    own(SECOND.uid(), others, linked);
    FIRST.own(shared);
    Files.createLink(shared.resolve("link"), linked);
    Path late = Files.createFile(shared.resolve("not given in time"));

    FIRST.takeBack(shared);

    assertFalse(Files.exists(others));
    assertFalse(Files.exists(shared.resolve("link")));
    assertEquals(SECOND.uid(), owner(linked));
    assertTrue(Files.exists(late));
  }

  @Test
  void givesFoldersToWhichNoPathLeads() throws Exception {
    Path shared = Files.createDirectory(folder.resolve("shared"));
    try {
      Process deep =
          new ProcessBuilder("perl", "-e", "for (1..3000) { mkdir 'd' or die; chdir 'd' or die }")
              .directory(shared.toFile())
              .start();
      assertEquals(0, deep.waitFor());

      FIRST.own(shared);
      assertEquals(3001, folders(shared, FIRST.uid()));
      FIRST.takeBack(shared);
      assertEquals(3001, folders(shared, 0));
    } finally {
      assertEquals(List.of(), Removal.of(shared));
    }
  }

  /// How many folders a user has.
  private static long folders(Path shared, int uid) throws IOException {
    Process found =
        new ProcessBuilder("find", shared.toString(), "-uid", "" + uid, "-printf", "x\\n").start();
    try (var lines = found.inputReader()) {
      return lines.lines().count();
    }
  }

  private static void own(int uid, Path... all) throws IOException {
    for (Path each : all) {
      Files.setAttribute(each, "unix:uid", uid);
    }
  }

  private static int owner(Path path) throws IOException {
    return (int) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
  }

  /// Puts a link in the place of everything, at the last moment.
  private record Exchanging(FolderWalk.Each each, Path shared, Path outside)
      implements FolderWalk.Each {
    @Override
    public boolean folder(FolderWalk.Entry entry) throws IOException {
      Files.move(shared.resolve("folder"), shared.resolve("moved folder"));
      Files.createSymbolicLink(shared.resolve("folder"), outside);
      return each.folder(entry);
    }

    @Override
    public void other(FolderWalk.Entry entry) throws IOException {
      Path within = shared.resolve("moved folder");
      Files.move(within.resolve("file"), within.resolve("moved file"));
      Files.createSymbolicLink(within.resolve("file"), outside.resolve("file"));
      each.other(entry);
    }
  }
}
