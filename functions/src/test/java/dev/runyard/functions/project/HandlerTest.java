package dev.runyard.functions.project;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.RunStatus;
import dev.runyard.functions.RunBatch;
import dev.runyard.functions.StreamEvent;
import dev.runyard.functions.Twins;
import org.junit.jupiter.api.Test;

final class HandlerTest {
  private final Twins twins = new Twins();
  private final Handler handler =
      new Handler(
          twins.project(), new RunBatch(twins.jsonLog(), twins.streamFailures, twins.clock));

  @Test
  void bringsTheReadModelUpToTheLog() {
    RunKey run = twins.running();
    handler.handleRequest(StreamEvent.of(run.partition()), null);
    assertEquals(5, twins.models.snapshot(run).orElseThrow().sequence());

    twins.complete(run);
    handler.handleRequest(StreamEvent.of(run.partition(), run.partition()), null);
    assertEquals(RunStatus.COMPLETED, twins.models.snapshot(run).orElseThrow().status());
  }

  @Test
  void aRunWithoutEventsIsNoFailure() {
    RunKey none = new RunKey("default", "019c0000-0000-7000-8000-000000000000");

    assertTrue(
        handler
            .handleRequest(StreamEvent.of(none.partition()), null)
            .getBatchItemFailures()
            .isEmpty());
  }
}
