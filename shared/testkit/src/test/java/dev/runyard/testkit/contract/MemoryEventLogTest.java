package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.memory.MemoryEventLog;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MemoryEventLogTest extends EventLogContract {
  @Override
  protected EventLog eventLog() {
    return new MemoryEventLog();
  }

  @Test
  void reportsItsChangesInTheOrderOfTheAppends() {
    MemoryEventLog log = new MemoryEventLog();
    RunKey one = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");
    RunKey two = new RunKey("acme", "019c0000-0000-7000-8000-000000000002");
    log.append(chunk(one, 1, Optional.of("queued"), false));
    log.append(chunk(two, 1, Optional.empty(), false));
    log.append(chunk(one, 1, Optional.empty(), false));
    log.append(chunk(one, 2, Optional.of("failed"), true));

    MemoryEventLog.Change last =
        new MemoryEventLog.Change(3, one, 2, 2, Optional.of("failed"), true);
    assertEquals(
        List.of(
            new MemoryEventLog.Change(1, one, 1, 1, Optional.of("queued"), false),
            new MemoryEventLog.Change(2, two, 1, 1, Optional.empty(), false),
            last),
        log.changes(0));
    assertEquals(List.of(last), log.changes(2));
    assertEquals(List.of(), log.changes(3));
    assertEquals(List.of(one, two), log.streams());
  }

  private static Chunk chunk(RunKey run, long at, Optional<String> state, boolean closed) {
    return new Chunk(
        run,
        run.runId() + at + closed + state,
        "test",
        ChunkBody.of(
            EventCodec.RUNS,
            List.of(
                new StoredEvent(
                    run, "session-1", null, at, Instant.EPOCH, new RunEvent.ModelDelta("text")))),
        state,
        closed);
  }
}
