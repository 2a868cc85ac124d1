package dev.runyard.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// The processes of this machine, whoever has them, by what the system says of each.
public final class ProcessTable {
  private static final Path PROC = Path.of("/proc");

  private ProcessTable() {}

  /// Those of which a file, such as `environ`, says something.
  public static List<Long> pids(String file, Predicate<String> says) throws IOException {
    List<Long> found = new ArrayList<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path process : processes) {
        long pid = Long.parseLong(process.getFileName().toString());
        if (says.test(read(pid, file))) {
          found.add(pid);
        }
      }
    }
    return found;
  }

  /// What a file says of a process; nothing once that has ended.
  public static String read(long pid, String file) {
    try {
      byte[] content = Files.readAllBytes(PROC.resolve(Long.toString(pid)).resolve(file));
      return new String(content, StandardCharsets.ISO_8859_1);
    } catch (IOException _) {
      return "";
    }
  }
}
