package dev.runyard.system.matrix;

import dev.runyard.local.model.ModelExchange;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/// What agents asked the scripted model, and the answers that a test holds back.
final class Exchanges {
  private final Queue<ModelExchange> asked = new ConcurrentLinkedQueue<>();
  private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();

  /// An answer that is held back until this is closed.
  interface Hold extends AutoCloseable {
    @Override
    void close();
  }

  Stream<ModelExchange> stream() {
    return asked.stream();
  }

  /// Holds the answers to steps with this directive back.
  Hold hold(String directive) {
    CountDownLatch latch = new CountDownLatch(1);
    held.put(directive, latch);
    return () -> {
      held.remove(directive);
      latch.countDown();
    };
  }

  /// Called by the model before it answers. When it closes it interrupts who waits here.
  void add(ModelExchange exchange) {
    asked.add(exchange);
    try {
      for (Map.Entry<String, CountDownLatch> each : held.entrySet()) {
        if (exchange.directive().contains(each.getKey())) {
          each.getValue().await();
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
