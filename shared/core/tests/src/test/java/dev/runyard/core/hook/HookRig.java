package dev.runyard.core.hook;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.secret.Fetched;
import dev.runyard.core.submit.RunRequestReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Random;

/// What hooks of tests need: a clock, ids, agents, and the secret `S`, which a test can take away.
final class HookRig {
  static final String KEY = "a key of at least sixteen bytes";

  final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  final Ids ids = new RandomIds(new Random(5));
  final HookMapping mapping = new HookMapping(new RunRequestReader(AgentCatalog.builtIn()));
  Fetched secret = new Fetched.Value(KEY);

  /// Secrets of a process that has read none.
  HookSecrets secrets() {
    return new HookSecrets(
        AgentSettings.hookSecrets("{\"agents\":{},\"hook_secrets\":{\"S\":\"env:S\"}}"),
        _ -> secret,
        clock);
  }

  Hooks hooks(HookStore store) {
    return new Hooks(store, secrets(), mapping, ids, clock);
  }

  static byte[] body(String json) {
    return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }
}
