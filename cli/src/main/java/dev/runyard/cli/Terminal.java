package dev.runyard.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.runyard.cli.show.SafeText;
import dev.runyard.cli.show.Style;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;
import java.util.Optional;

/// A command's environment, input and output. Results go to `out`; progress, hints and errors to
/// `err`, so that a pipe carries results only.
///
/// @param interactive whether `out` is a terminal
/// @param answers whether a person at a terminal can answer through `input`
public record Terminal(
    PrintStream out,
    PrintStream err,
    BufferedReader input,
    Map<String, String> env,
    boolean interactive,
    boolean answers) {
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  /// Thrown when the reader of `out` has closed it.
  static final class OutputClosed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  public Terminal {
    env = Map.copyOf(env);
  }

  /// Colours on a terminal, unless NO_COLOR or a dumb terminal forbids them.
  public Style style() {
    boolean colours =
        interactive
            && env.getOrDefault("NO_COLOR", "").isEmpty()
            && !env.getOrDefault("TERM", "").equals("dumb");
    return colours ? Style.COLOURED : Style.PLAIN;
  }

  /// Asks a person for a secret, which the terminal does not show, or reads it from a pipe; empty
  /// when there is none.
  Optional<String> secret(String prompt) throws IOException {
    Optional<Console> console =
        Optional.ofNullable(System.console()).filter(shown -> answers && shown.isTerminal());
    return console.isPresent()
        ? Optional.ofNullable(console.get().readPassword("%s", prompt)).map(String::new)
        : Optional.ofNullable(input.readLine());
  }

  public void line(String text) {
    out.println(text);
    flushed();
  }

  /// One JSON document on one line.
  public void json(Object document) {
    try {
      line(SafeText.json(JSON.writeValueAsString(document)));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  public void note(String text) {
    err.println(text);
    err.flush();
  }

  void flushed() {
    if (out.checkError()) {
      throw new OutputClosed();
    }
  }
}
