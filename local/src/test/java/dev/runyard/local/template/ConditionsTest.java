package dev.runyard.local.template;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

final class ConditionsTest {
  @Test
  void answersSeveralThreadsAtOnce() throws Exception {
    JsonNode declared = new ObjectMapper().readTree("{\"Same\": {\"Fn::Equals\": [\"a\", \"a\"]}}");
    CyclicBarrier both = new CyclicBarrier(2);
    Conditions conditions =
        new Conditions(
            declared,
            operand -> {
              await(both);
              return operand;
            });

    CompletableFuture<Boolean> other =
        CompletableFuture.supplyAsync(() -> conditions.holds("Same"));

    assertTrue(conditions.holds("Same"));
    assertTrue(other.get());
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new AssertionError(e);
    }
  }
}
