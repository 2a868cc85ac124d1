package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.testkit.git.GitServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// A person's folder goes to a run and its change comes back, by the packaged command line.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FolderRunIT {
  private SystemStack stack;
  private StackFolder files;
  private Path folder;

  private record Said(int status, String out, String err) {}

  @BeforeAll
  void start(@TempDir Path temporary) throws Exception {
    files = StackFolder.in(temporary);
    folder = Files.createDirectory(temporary.resolve("mine"));
    Files.writeString(
        files.agents(), "{\"agents\":{\"shell\":{\"program\":\"/bin/sh\",\"command\":{}}}}");
    stack = up(files);
  }

  SystemStack up(StackFolder own) throws IOException, InterruptedException {
    return SystemStack.start(own);
  }

  @AfterAll
  void stop() {
    stack.close();
  }

  @Test
  void takesTheFilesThereAndTheChangeBack() throws Exception {
    Path mine = repository("change");
    Files.writeString(mine.resolve("not committed"), "\u00fcber\r\n");
    Files.writeString(mine.resolve(".env"), "SECRET=1\n");

    Said said =
        run(mine, "cat *committed; ls -A; echo fixed > calc; rm old; mkdir d; echo new > d/new");

    assertEquals(0, said.status(), said::toString);
    assertTrue(said.out().contains("\u00fcber"), said::toString);
    assertFalse(said.out().contains(".env"), said::toString);
    assertEquals("fixed\n", Files.readString(mine.resolve("calc")));
    assertFalse(Files.exists(mine.resolve("old")));
    assertEquals("new\n", Files.readString(mine.resolve("d/new")));
    assertEquals("\u00fcber\r\n", Files.readString(mine.resolve("not committed")));
    assertTrue(said.err().contains("applied to 3 files"), said::toString);
  }

  @Test
  void writesOverNoLaterEdit() throws Exception {
    Path mine = repository("edit");
    Started started;
    try (GitServer server = new GitServer(folder.resolve("served"))) {
      server.fallsSilent("/hold");
      started =
          command(
              mine, "git ls-remote %s || :; echo theirs > calc".formatted(server.url("hold/x")));
      while (server.asked().isEmpty()) {
        assertTrue(started.process().isAlive());
        Thread.onSpinWait();
      }
      Files.writeString(mine.resolve("calc"), "mine\n");
    }

    Said said = started.said();

    assertEquals(1, said.status(), said::toString);
    assertEquals("mine\n", Files.readString(mine.resolve("calc")));
    assertTrue(said.err().contains("  calc"), said::toString);
    Path patch = Path.of(said.err().lines().toList().getLast().replace("the patch is in ", ""));
    assertTrue(Files.readString(patch).contains("+theirs"));
    Files.delete(patch);
  }

  @Test
  void worksWithAFolderThatIsNoRepository() throws Exception {
    Path plain = Files.createDirectory(folder.resolve("plain"));
    Files.writeString(plain.resolve("calc"), "broken\n");
    Files.createDirectory(plain.resolve("empty"));

    Said said = run(plain, "ls -d empty && echo fixed > calc");

    assertEquals(0, said.status(), said::toString);
    assertEquals("fixed\n", Files.readString(plain.resolve("calc")));
  }

  private Path repository(String name) throws Exception {
    Path made = Files.createDirectory(folder.resolve(name));
    Files.writeString(made.resolve("calc"), "broken\n");
    Files.writeString(made.resolve("old"), "old\n");
    Files.writeString(made.resolve(".gitignore"), ".env\n");
    for (String[] call :
        new String[][] {
          {"git", "init", "-q"},
          {"git", "add", "-A"},
          {"git", "-c", "user.name=me", "-c", "user.email=me@x", "commit", "-q", "-m", "first"}
        }) {
      assertEquals(0, new ProcessBuilder(call).directory(made.toFile()).start().waitFor());
    }
    return made;
  }

  private Said run(Path mine, String script) throws Exception {
    return command(mine, script).said();
  }

  private Started command(Path mine, String script) throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("run", "shell", script, "--repo", mine.toString(), "--apply"));
    arguments.addAll(List.of("--url", stack.api().uri().toString()));
    ProcessBuilder builder = CommandLine.of(files.home(), arguments);
    builder.environment().put("RUNYARD_CACHE", files.cache().toString());
    Path err = folder.resolve(mine.getFileName() + ".err");
    builder.redirectError(err.toFile());
    Process process = builder.start();
    process.getOutputStream().close();
    return new Started(process, err);
  }

  /// A command that runs.
  ///
  /// @param err what it notes
  private record Started(Process process, Path err) {
    Said said() throws Exception {
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Said(process.waitFor(), out, Files.readString(err).strip());
    }
  }
}
