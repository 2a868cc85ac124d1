package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.queue.Ticket;
import dev.runyard.runner.RunnerRig;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.RecordingBackend;
import dev.runyard.runner.backend.Signals;
import dev.runyard.testkit.threads.TestPatience;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An attempt whose code fails, other than by a port that does not answer.
final class BrokenAttemptTest {
  @TempDir private Path directory;

  @Test
  void isNotCountedAnyMoreThoughItHadLostItsMessage() {
    SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
    RunnerRig rig = new RunnerRig(directory, clock);
    RecordingBackend hands = new RecordingBackend("hand");
    Attempts attempts =
        rig.attempts(new AgentGateway(List.of(hands)), AgentSettings.NONE, Map.of());
    rig.submit("hand", Map.of());
    Ticket ticket = rig.queue.receive(1, 1).getFirst();
    CompletableFuture<?> over =
        CompletableFuture.runAsync(
            () -> {
              try {
                attempts.work(ticket);
              } catch (InterruptedException e) {
                throw new CompletionException(e);
              }
            });
    Signals.until(() -> hands.started().size() == 1);
    rig.queue.delete(ticket);
    clock.advance(Duration.ofSeconds(Limits.LEASE_SECONDS));
    Signals.until(() -> attempts.unqueued() == 1);

    rig.refuse(_ -> true);
    hands
        .started()
        .getFirst()
        .output()
        .end(new AgentSignal.Ended(Optional.empty(), 0, Optional.empty(), 0));

    ExecutionException broke =
        assertThrows(
            ExecutionException.class,
            () -> over.get(TestPatience.LONG.toSeconds(), TimeUnit.SECONDS));
    assertInstanceOf(IllegalStateException.class, broke.getCause());
    assertEquals(0, attempts.unqueued());
  }
}
