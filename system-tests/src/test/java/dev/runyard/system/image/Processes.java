package dev.runyard.system.image;

import dev.runyard.system.ProcessTable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The processes of containers, as this machine sees them.
final class Processes {
  private Processes() {}

  /// Ends the containers that runc knows of below a folder. The first process of a container takes
  /// all others with it.
  static void endContainers(Path folder) throws IOException {
    Path state = folder.resolve("runc");
    for (String id : names(state)) {
      try {
        new ProcessBuilder("runc", "--root", state.toString(), "delete", "--force", id)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("a container may be left over", e);
      }
    }
  }

  /// Processes whose root is the image's, wherever they are and whoever they belong to.
  static List<String> within(Path folder) throws IOException {
    return ProcessTable.pids("mountinfo", says -> says.contains(folder.toString())).stream()
        .map(pid -> pid + " " + ProcessTable.read(pid, "cmdline"))
        .toList();
  }

  private static List<String> names(Path folder) throws IOException {
    List<String> names = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
        entries.forEach(entry -> names.add(entry.getFileName().toString()));
      }
    }
    return names;
  }
}
