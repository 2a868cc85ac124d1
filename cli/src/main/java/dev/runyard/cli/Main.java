package dev.runyard.cli;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// Entry point of the `runyard` command.
public final class Main {
  /// Set by the launcher when standard output is a terminal.
  private static final String TERMINAL_PROPERTY = "runyard.terminal";

  /// Set by the launcher when standard input is a terminal too.
  private static final String ANSWERS_PROPERTY = "runyard.answers";

  private Main() {}

  public static void main(String[] args) {
    System.exit(execute(args));
  }

  /// Executes a command line in this process and returns its exit status.
  static int execute(String... args) {
    Terminal terminal =
        new Terminal(
            utf8(FileDescriptor.out),
            utf8(FileDescriptor.err),
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)),
            System.getenv(),
            Boolean.getBoolean(TERMINAL_PROPERTY),
            Boolean.getBoolean(ANSWERS_PROPERTY));
    // The stack's own log goes to standard error: standard output carries results only.
    System.setOut(terminal.err());
    return Runyard.line(terminal, new TemplateStacks(terminal), args).execute(args);
  }

  private static PrintStream utf8(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }
}
