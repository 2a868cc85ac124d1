package dev.runyard.cli.folder;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The git of the person who gives the command, in that person's own repository.
///
/// @param program what it is called
record PersonsGit(Path folder, String program) {
  static final String PROGRAM = "git";

  PersonsGit(Path folder) {
    this(folder, PROGRAM);
  }

  /// What a call of git printed.
  ///
  /// @param said its complaints
  @SuppressWarnings("ArrayRecordComponent")
  record Ran(int status, byte[] printed, String said) {
    boolean well() {
      return status == 0;
    }

    String text() {
      return new String(printed, StandardCharsets.UTF_8);
    }
  }

  /// @throws IOException also when there is no git
  Ran run(String... arguments) throws IOException, InterruptedException {
    return run(List.of(arguments));
  }

  /// When it returns or throws, no call of this kind runs any more.
  Ran run(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(arguments);
    Path complaints = Files.createTempFile("runyard", ".git");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command).directory(folder.toFile()).redirectError(complaints.toFile());
      builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
      builder.environment().put("LC_ALL", "C");
      Process process = builder.start();
      try {
        process.getOutputStream().close();
        byte[] printed = process.getInputStream().readAllBytes();
        int status = process.waitFor();
        return new Ran(status, printed, Files.readString(complaints).strip());
      } finally {
        process.destroy();
        process.onExit().join();
      }
    } finally {
      Files.delete(complaints);
    }
  }
}
