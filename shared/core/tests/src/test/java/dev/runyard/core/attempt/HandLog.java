package dev.runyard.core.attempt;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.problem.PortUnavailable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The event log in memory, which fails when its test says so.
final class HandLog implements EventLog {
  private final MemoryEventLog memory = new MemoryEventLog();
  private Runnable waits = () -> {};
  private boolean down;
  private boolean readsDown;
  private int lostReplies;
  private int calls;

  /// No call is executed or answered.
  void down(boolean is) {
    down = is;
  }

  /// No call is executed, and each is given up after its caller has waited.
  void hang(Runnable waiting) {
    waits = waiting;
    down = true;
  }

  /// No read is answered.
  void readsDown(boolean are) {
    readsDown = are;
  }

  /// The next `count` appends are executed but not answered.
  void loseReplies(int count) {
    lostReplies = count;
  }

  /// Calls made so far.
  int calls() {
    return calls;
  }

  /// Every chunk of the run, whatever the state of the log.
  List<Chunk> all(RunKey run) {
    List<Chunk> chunks = new ArrayList<>();
    List<Chunk> page;
    do {
      page = memory.chunksAfter(run, chunks.isEmpty() ? 0 : chunks.getLast().last());
      chunks.addAll(page);
    } while (page.size() == READ_CHUNKS_MAX);
    return chunks;
  }

  @Override
  public AppendResult append(Chunk chunk) {
    answer();
    AppendResult result = memory.append(chunk);
    if (lostReplies > 0) {
      lostReplies--;
      throw new PortUnavailable("the reply was lost");
    }
    return result;
  }

  @Override
  public List<Chunk> chunksAfter(StreamKey key, long sequence) {
    answer();
    if (readsDown) {
      throw new PortUnavailable("no read is answered");
    }
    return memory.chunksAfter(key, sequence);
  }

  @Override
  public Optional<Chunk> chunkAt(StreamKey key, long sequence) {
    answer();
    return memory.chunkAt(key, sequence);
  }

  private void answer() {
    calls++;
    if (down) {
      waits.run();
      throw new PortUnavailable("the log is down");
    }
  }
}
