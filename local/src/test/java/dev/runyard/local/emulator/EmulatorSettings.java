package dev.runyard.local.emulator;

import dev.runyard.aws.Settings;
import dev.runyard.testkit.threads.TestPatience;
import java.util.HashMap;
import java.util.Map;

/// What clients of an emulator need in a test, which waits for it as long as the machine takes.
final class EmulatorSettings {
  private EmulatorSettings() {}

  /// @param more the emulator's address, and what else the client reads
  static Settings of(Map<String, String> more) {
    Map<String, String> all =
        new HashMap<>(
            Map.of(
                Settings.REGION,
                "us-east-1",
                Settings.ACCESS_KEY_ID,
                "local",
                Settings.SECRET_ACCESS_KEY,
                "local",
                Settings.CALL_SECONDS,
                Long.toString(TestPatience.LONG_SECONDS)));
    all.putAll(more);
    return new Settings(all);
  }
}
