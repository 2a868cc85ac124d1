package dev.runyard.cli;

import picocli.CommandLine.Option;

/// `-o`, on every command that prints a result.
final class OutputOption {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json",
      description = "Print for a person (text, the default) or one JSON document per line (json).")
  private OutputFormat format = OutputFormat.text;

  boolean json() {
    return format == OutputFormat.json;
  }
}
