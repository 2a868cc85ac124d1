package dev.runyard.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.aws.Settings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A runner that cannot keep runs apart as it should does not start, rather than run them
/// unprotected.
final class RefusedIsolationTest {
  private static final String UNUSED = "http://127.0.0.1:1";

  @TempDir private Path directory;

  /// A search path without any program has no `bwrap`.
  @Test
  void endsARunnerThatCannotGiveTheRequiredLevel() throws Exception {
    refused("bubblewrap is required", start("bubblewrap", "{}"));
  }

  @Test
  void endsARunnerThatCannotEnforceTheNetworkOfAnAgent() throws Exception {
    refused(
        "limits what an agent reaches",
        start("none", "{\"agents\":{\"codex\":{\"network\":\"none\"}}}"));
  }

  private static void refused(String why, ExitedRunner exit) {
    assertEquals(Main.EXIT_ISOLATION, exit.status(), exit.printed());
    assertTrue(exit.printed().contains("\"code\":\"isolation_refused\""), exit.printed());
    assertTrue(exit.printed().contains(why), exit.printed());
  }

  private ExitedRunner start(String isolation, String agents) throws Exception {
    Map<String, String> settings =
        new HashMap<>(
            Map.of(
                Settings.REGION, "eu-west-1",
                Settings.ACCESS_KEY_ID, "id",
                Settings.SECRET_ACCESS_KEY, "key",
                Settings.ENDPOINT_URL, UNUSED,
                Settings.EVENTS_TABLE, "events",
                Settings.VIEWS_TABLE, "views",
                Settings.RUN_QUEUE_URL, UNUSED + "/queue",
                Settings.ARTIFACTS_BUCKET, "bucket",
                Settings.RETENTION_DAYS, "30",
                Settings.WORK_DIR, directory.resolve("work").toString()));
    settings.put(Settings.ISOLATION, isolation);
    settings.put(Settings.AGENTS, agents);
    settings.put("PATH", directory.resolve("empty").toString());
    return ExitedRunner.of(settings);
  }
}
