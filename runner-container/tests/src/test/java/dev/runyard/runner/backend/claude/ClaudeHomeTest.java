package dev.runyard.runner.backend.claude;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.runner.backend.SessionChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClaudeHomeTest {
  private static final String SESSION = "11111111-1111-4111-8111-111111111111";

  @TempDir private Path directory;
  private Path work;
  private ClaudeHome home;

  @BeforeEach
  void prepare() throws IOException {
    work = Files.createDirectory(directory.resolve("work.dir_1"));
    home = ClaudeHome.prepare(directory.resolve("home"));
  }

  @Test
  void isForItsOwnerOnly() throws IOException {
    assertEquals(
        "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(home.config())));
  }

  @Test
  void startsANewConversationUnlessAskedOtherwise() throws IOException {
    held("-old", SESSION, 5);

    assertEquals(new ClaudeSession.Fresh(), home.session(new SessionChoice.Fresh(), work));
  }

  @Test
  void bringsAConversationToTheDirectoryTheRunWorksIn() throws IOException {
    Path file = held("-where-another-attempt-was", SESSION, 5);
    Files.createDirectories(file.resolveSibling(SESSION).resolve("tool-results"));

    assertEquals(
        new ClaudeSession.Known(SESSION, false),
        home.session(new SessionChoice.ById(SESSION, false), work));

    Path folder = home.config().resolve(ClaudeHome.PROJECTS).resolve(ClaudeHome.folderOf(work));
    assertFalse(Files.exists(file));
    assertTrue(Files.exists(folder.resolve(SESSION + ".jsonl")));
    assertTrue(Files.exists(folder.resolve(SESSION).resolve("tool-results")));
    assertTrue(folder.toString().endsWith("work-dir-1"));
  }

  @Test
  void takesTheNewestConversationThatIsNotAHelpers() throws IOException {
    held("-old", SESSION, 5);
    held("-old", SESSION.replace('1', '2'), 6);
    held("-old", "agent-" + SESSION.replace('1', '3'), 7);

    assertEquals(
        new ClaudeSession.Known(SESSION.replace('1', '2'), true),
        home.session(new SessionChoice.Last(true), work));
  }

  @Test
  void findsOnlyConversationsItHolds() throws IOException {
    assertEquals("no session found", missing(new SessionChoice.Last(false)));
    held("-old", SESSION, 5);
    for (String unknown : List.of("my-session", SESSION.replace('1', '2'), "", "../" + SESSION)) {
      assertEquals("session not found", missing(new SessionChoice.ById(unknown, false)));
    }
  }

  private Path held(String folder, String id, int second) throws IOException {
    Path projects = home.config().resolve(ClaudeHome.PROJECTS).resolve(folder);
    Path file = Files.writeString(Files.createDirectories(projects).resolve(id + ".jsonl"), "{}");
    return Files.setLastModifiedTime(file, FileTime.from(second, TimeUnit.SECONDS));
  }

  private String missing(SessionChoice choice) throws IOException {
    return assertInstanceOf(ClaudeSession.Missing.class, home.session(choice, work))
        .failure()
        .message();
  }
}
