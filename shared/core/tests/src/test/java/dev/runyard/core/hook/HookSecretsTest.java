package dev.runyard.core.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.secret.Fetched;
import dev.runyard.core.secret.SecretSource;
import dev.runyard.core.secret.SecretTrouble;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class HookSecretsTest {
  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final AtomicInteger asked = new AtomicInteger();
  private volatile Fetched kept = new Fetched.Value("{\"a\":\"one\"}");
  private final HookSecrets secrets =
      new HookSecrets(
          AgentSettings.hookSecrets(
              "{\"hook_secrets\":{\"A\":\"secretsmanager:s#a\",\"ALL\":\"secretsmanager:s\",\"B\":\"ssm:/b\"}}"),
          this::read,
          clock);

  private Fetched read(SecretSource source) {
    asked.incrementAndGet();
    return source instanceof SecretSource.Parameter
        ? new Fetched.Unavailable(SecretTrouble.NO_RIGHT)
        : kept;
  }

  @Test
  void readsWhatTheOperatorListsAndNothingElse() {
    assertEquals(new Fetched.Value("one"), secrets.read("A"));
    assertEquals(kept, secrets.read("ALL"));
    assertEquals(new Fetched.Unavailable(SecretTrouble.NO_RIGHT), secrets.read("B"));
    assertEquals(new Fetched.Unavailable(SecretTrouble.UNKNOWN), secrets.read("C"));
    assertEquals(3, asked.get());
  }

  @Test
  void asksOnceForABurstAndAgainAfterAWhile() throws Exception {
    List<Callable<Fetched>> burst = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      burst.add(() -> secrets.read("ALL"));
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
      for (Future<Fetched> answer : threads.invokeAll(burst)) {
        assertEquals(kept, answer.get());
      }
    }
    assertEquals(1, asked.get());
    kept = new Fetched.Value("changed");
    clock.advance(Duration.ofSeconds(HookLimits.SECRET_SECONDS).minusMillis(1));
    assertEquals(new Fetched.Value("{\"a\":\"one\"}"), secrets.read("ALL"));
    clock.advance(Duration.ofMillis(1));
    assertEquals(new Fetched.Value("changed"), secrets.read("ALL"));
    assertEquals(2, asked.get());
  }

  @Test
  void remembersOnlyForAMomentThatThereIsNone() {
    secrets.read("B");
    clock.advance(Duration.ofSeconds(HookLimits.SECRET_RETRY_SECONDS).minusMillis(1));
    secrets.read("B");
    assertEquals(1, asked.get());
    clock.advance(Duration.ofMillis(1));
    secrets.read("B");
    assertEquals(2, asked.get());
  }
}
