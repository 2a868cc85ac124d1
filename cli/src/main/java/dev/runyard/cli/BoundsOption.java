package dev.runyard.cli;

import dev.runyard.cli.client.NewRun;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of `run` that set its limits other than time.
final class BoundsOption {
  @Option(names = "--max-turns", paramLabel = "N", description = "Model answers the run may have.")
  private @Nullable Integer turns;

  @Option(
      names = "--max-tokens",
      paramLabel = "N",
      description = "Input and output tokens the run may use.")
  private @Nullable Long tokens;

  @Option(
      names = "--max-cost-usd",
      paramLabel = "USD",
      description = "US dollars the run may cost.")
  private @Nullable Double costUsd;

  @Option(
      names = "--idle-timeout",
      paramLabel = "SECONDS",
      description = "Longest time without output from the agent; 0 disables it.")
  private @Nullable Integer idleTimeout;

  @Option(
      names = "--action-timeout",
      paramLabel = "SECONDS",
      description = "How long to wait for a person.")
  private @Nullable Integer actionTimeout;

  NewRun.Bounds bounds() {
    return new NewRun.Bounds(turns, tokens, costUsd, idleTimeout, actionTimeout);
  }
}
