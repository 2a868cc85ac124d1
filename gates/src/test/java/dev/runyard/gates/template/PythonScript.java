package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/// A script of the resources that serves calls until it is closed. Loading its libraries takes
/// longer than a call.
final class PythonScript implements AutoCloseable {
  private final Path folder;
  private final Path wrong;
  private final Process process;
  private final Writer calls;
  private final BufferedReader answers;

  /// @param folder for what the calls read and print
  PythonScript(String script, Path folder) {
    this.folder = folder;
    wrong = folder.resolve(script + ".err");
    ProcessBuilder command =
        new ProcessBuilder("python3", Path.of("src", "test", "resources", script).toString());
    command.environment().put("AWS_DEFAULT_REGION", "eu-west-1");
    command.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    try {
      process = command.redirectError(wrong.toFile()).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    calls = process.outputWriter();
    answers = process.inputReader();
  }

  /// What the script prints about a template.
  String printed(String template) throws IOException {
    Path in = Files.writeString(folder.resolve("in.yaml"), template);
    Path out = folder.resolve("out");
    Path err = Files.writeString(folder.resolve("err"), "");
    calls.write("%s\t%s\t%s\n".formatted(in, out, err));
    calls.flush();
    assertEquals("0", answers.readLine(), Files.readString(err) + Files.readString(wrong));
    return Files.readString(out);
  }

  @Override
  public void close() {
    process.destroy();
  }
}
