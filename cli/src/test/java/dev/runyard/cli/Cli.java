package dev.runyard.cli;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine;

/// Runs one command line as the launcher would, with its own environment and output.
final class Cli {
  private final Map<String, String> env = new HashMap<>();
  private boolean interactive;
  private String input = "";
  private String piped = "";
  private Stack.Starter stacks =
      _ -> {
        throw new IllegalStateException("this test starts no stack");
      };

  /// What the command printed and its exit status.
  record Outcome(int exit, String out, String err) {}

  Cli with(String variable, String value) {
    env.put(variable, value);
    return this;
  }

  Cli onTerminal() {
    interactive = true;
    return this;
  }

  /// A person at a terminal who types these lines.
  Cli typing(String lines) {
    interactive = true;
    input = lines;
    return this;
  }

  /// A program that pipes this in.
  Cli piping(String text) {
    piped = text;
    return this;
  }

  Cli starting(Stack.Starter starter) {
    stacks = starter;
    return this;
  }

  Outcome run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit = Runyard.line(terminal(out, err), stacks, arguments).execute(arguments);
    return new Outcome(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /// The command line with all commands.
  CommandLine whole() {
    return Runyard.line(terminal(new ByteArrayOutputStream(), new ByteArrayOutputStream()), stacks);
  }

  /// What the command line has for these arguments.
  CommandLine partFor(String... arguments) {
    return Runyard.line(
        terminal(new ByteArrayOutputStream(), new ByteArrayOutputStream()), stacks, arguments);
  }

  /// What a command has to print to.
  Terminal terminal(ByteArrayOutputStream out, ByteArrayOutputStream err) {
    return new Terminal(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        new BufferedReader(new StringReader(input + piped)),
        env,
        interactive,
        !input.isEmpty());
  }
}
