package dev.runyard.needs;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// A program that a test writes and then starts.
///
/// The kernel starts no file that somebody has open to write ("Text file busy"). A process that
/// another test starts inherits what this one has open, for longer where the machine is busy, so
/// the file is opened by a process of its own.
public final class Program {
  private Program() {}

  /// Writes a file that everybody may execute.
  ///
  /// @param text begins with `#!` and the interpreter
  /// @return the file
  public static Path write(Path file, String text) throws IOException {
    Process writing =
        new ProcessBuilder("sh", "-c", "cat > \"$0\" && chmod 755 \"$0\"", file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (OutputStream input = writing.getOutputStream()) {
      input.write(text.getBytes(StandardCharsets.UTF_8));
    }
    if (writing.onExit().join().exitValue() != 0) {
      throw new IOException("a program cannot be written: " + file);
    }
    return file;
  }
}
