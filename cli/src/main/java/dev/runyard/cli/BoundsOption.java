package dev.runyard.cli;

import dev.runyard.cli.client.NewRun;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of `run` that say where the run is stopped before its time is over.
final class BoundsOption {
  @Option(
      names = "--max-turns",
      paramLabel = "N",
      description = "Answers of its model the run may have.")
  private @Nullable Integer turns;

  @Option(
      names = "--max-tokens",
      paramLabel = "N",
      description = "Tokens the run may use, in and out.")
  private @Nullable Long tokens;

  @Option(
      names = "--max-cost-usd",
      paramLabel = "USD",
      description = "US dollars the run may cost.")
  private @Nullable Double costUsd;

  @Option(
      names = "--idle-timeout",
      paramLabel = "SECONDS",
      description = "How long the agent may tell nothing; 0 for ever.")
  private @Nullable Integer idleTimeout;

  @Option(
      names = "--action-timeout",
      paramLabel = "SECONDS",
      description = "How long a person is waited for.")
  private @Nullable Integer actionTimeout;

  NewRun.Bounds bounds() {
    return new NewRun.Bounds(turns, tokens, costUsd, idleTimeout, actionTimeout);
  }
}
