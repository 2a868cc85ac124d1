package dev.runyard.cli.folder;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Calls git as a person does.
final class GitCalls {
  private GitCalls() {}

  static String git(Path folder, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                "git",
                "-c",
                "user.name=me",
                "-c",
                "user.email=me@example.com",
                "-c",
                "gc.auto=0",
                "-c",
                "maintenance.auto=false"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), printed);
    return printed;
  }
}
