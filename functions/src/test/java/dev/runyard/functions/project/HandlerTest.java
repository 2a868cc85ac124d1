package dev.runyard.functions.project;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.core.run.RunStatus;
import dev.runyard.core.stream.ChunkHash;
import dev.runyard.core.task.TaskKey;
import dev.runyard.functions.RunBatch;
import dev.runyard.functions.StreamEvent;
import dev.runyard.functions.Twins;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class HandlerTest {
  private final Twins twins = new Twins();
  private final Handler handler =
      new Handler(
          twins.project(),
          new RunBatch(twins.jsonLog(), twins.streamFailures, twins.clock),
          twins.jsonLog());

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
  void aLogThatIsNotAsItWasWrittenIsAnAlarmAndNoFailure() {
    RunKey run = twins.running();
    long next = twins.log.chunkAt(run, Long.MAX_VALUE).orElseThrow().last() + 1;
    twins.log.append(
        new Chunk(
            run,
            "forged",
            "nobody",
            ChunkBody.of(
                EventCodec.RUNS,
                List.of(
                    new StoredEvent(
                        run,
                        "s-1",
                        "a-1",
                        next,
                        twins.clock.instant(),
                        new RunEvent.ModelDelta("forged")))),
            Optional.empty(),
            false,
            Optional.of(ChunkHash.of(new byte[ChunkHash.HASH_BYTES]))));

    assertTrue(
        handler
            .handleRequest(StreamEvent.of(run.partition()), null)
            .getBatchItemFailures()
            .isEmpty());

    assertEquals(next, twins.models.snapshot(run).orElseThrow().sequence());
    assertTrue(twins.logged().contains("\"event\":\"chain_broken\""), twins.logged());
    assertTrue(twins.logged().contains("\"sequence\":" + next), twins.logged());
    assertFalse(twins.logged().contains("forged"));
  }

  /// What is set aside is written by the same code, so that fails as well.
  @Test
  void aTaskOrJobThatBreaksTheCodeHoldsUpNoOther() {
    TaskKey task = new TaskKey("default", "task-1");
    JobKey job = new JobKey("default", "job-1");
    twins.log.append(unreadable(task));
    twins.log.append(unreadable(job));
    RunKey run = twins.running();
    DynamodbEvent records = StreamEvent.of(task.partition(), job.partition(), run.partition());

    assertEquals(List.of(), wired().handleRequest(records, null).getBatchItemFailures());

    assertEquals(5, twins.models.snapshot(run).orElseThrow().sequence());
  }

  private static Chunk unreadable(StreamKey stream) {
    ChunkBody body = ChunkBody.stored(1, 1, new byte[] {1});
    return new Chunk(stream, "id", "nobody", body, Optional.empty(), false, Optional.empty());
  }

  /// The function with all kinds of streams that it knows.
  private Handler wired() {
    return new Handler(twins.wiring("project", Map.of(), Optional.empty()));
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
