package dev.runyard.bench;

import picocli.CommandLine;

/// Entry point of `bench/run`.
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.exit(
        new CommandLine(new BenchCommand())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .execute(args));
  }
}
