package dev.runyard.bench.walls;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.bench.stack.Runs;
import dev.runyard.bench.stack.StandIn;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/// Runs that attack, one after the other as long as they are wanted. Each is ended by a limit or
/// after a few seconds, so the next begins.
final class Attackers {
  static final int ATTACK_SECONDS = 4;
  private static final int LOOK_MILLIS = 200;

  private final Attack attack;
  private final Runs runs;
  private final int port;
  private final AtomicBoolean over = new AtomicBoolean();
  private final Map<String, Integer> ends = new TreeMap<>();
  private final Thread thread;

  private Attackers(Attack attack, Runs runs, int port) {
    this.attack = attack;
    this.runs = runs;
    this.port = port;
    this.thread = Thread.ofPlatform().daemon().name("attack").start(this::attack);
  }

  static Attackers begin(Attack attack, Runs runs, int port) {
    return new Attackers(attack, runs, port);
  }

  private void attack() {
    try {
      while (!over.get()) {
        String run = runs.submit(StandIn.attack(attack.word(), port, ATTACK_SECONDS));
        JsonNode now = runs.get(run);
        while (!now.path("closed").asBoolean()) {
          Thread.sleep(LOOK_MILLIS);
          now = runs.get(run);
        }
        String end = now.path("error").path("code").asText(now.path("status").asText());
        synchronized (ends) {
          ends.merge(end, 1, Integer::sum);
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// How many there were, by how they ended.
  String text() {
    synchronized (ends) {
      return ends.isEmpty() ? "one that went on" : ends.toString();
    }
  }

  /// Waits for the last one.
  void end() throws InterruptedException {
    over.set(true);
    thread.join();
  }
}
