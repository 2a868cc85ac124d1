package dev.runyard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.cli.client.RunServer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class QuotaCommandTest {
  private final RunServer server = new RunServer();
  private final Cli cli = new Cli().with("RUNYARD_URL", server.uri().toString());

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void showsWhatMayBeUsedAndWhatIs() {
    server.on(
        "GET /v1/quota",
        200,
        """
        {"tenant":"shop","limits":{"open_runs_max":20,"timeout_seconds_max":600,"kept_bytes_max":null},
         "used":{"open_runs":3,"kept_bytes":7}}
        """);

    Cli.Outcome outcome = cli.run("quota");

    assertEquals(
        List.of(
            "tenant shop",
            "open_runs         3 of 20",
            "timeout_seconds   600",
            "kept_bytes        7 of no limit"),
        outcome.out().lines().toList());
  }
}
