package dev.runyard.local.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.local.events.TableStreams.Page;
import dev.runyard.local.events.TableStreams.Shard;
import dev.runyard.local.events.TableStreams.Start;
import dev.runyard.local.events.TableStreams.Stream;
import dev.runyard.local.template.EventSource.StartingPosition;
import dev.runyard.local.template.EventSource.TableStream;
import dev.runyard.testkit.threads.TestPatience;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.StreamRecord;

/// A stack that starts after its last position was trimmed, as with a data folder after a day.
class TrimmedStreamTest {
  private static final String ARN = "arn:stream";
  private static final String SHARD = "shard-1";

  @Test
  void continuesAtTheOldestRecordAndSaysNothing() throws Exception {
    BlockingQueue<LogRecord> logged = new LinkedBlockingQueue<>();
    Logger logger = Logger.getLogger(StreamReader.class.getName());
    Handler handler = collecting(logged);
    logger.addHandler(handler);
    Checkpoints checkpoints = new Checkpoints(Optional.empty());
    checkpoints.set("recorder", ARN, SHARD, "3");
    Trimmed streams = new Trimmed();
    try (RecordingFunction function = new RecordingFunction(_ -> List.of());
        var _ =
            new StreamReader(
                streams, "Data", List.of(mapping(function)), checkpoints, InstantSource.system())) {
      assertEquals(RecordingFunction.batch(7, 8), function.awaitBatch());
      assertEquals(List.of(new Start.After("3"), new Start.Oldest()), List.copyOf(streams.starts));
    } finally {
      logger.removeHandler(handler);
    }
    assertTrue(logged.isEmpty(), () -> logged.iterator().next().getMessage());
  }

  private static StreamMapping mapping(RecordingFunction function) {
    return new StreamMapping(
        function.function(),
        new TableStream(
            "Data",
            StartingPosition.TRIM_HORIZON,
            2,
            TestPatience.LONG,
            List.of(),
            true,
            false,
            Optional.empty(),
            Optional.empty(),
            Optional.empty()),
        FailureDestination.none());
  }

  private static Handler collecting(BlockingQueue<LogRecord> logged) {
    return new Handler() {
      @Override
      public void publish(LogRecord line) {
        if (line.getLevel().intValue() >= java.util.logging.Level.INFO.intValue()) {
          logged.add(line);
        }
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  /// One shard whose records 1 to 6 are gone: only the oldest position can be read.
  private static final class Trimmed implements TableStreams {
    private final BlockingQueue<Start> starts = new LinkedBlockingQueue<>();
    private final CountDownLatch nothingMore = new CountDownLatch(1);

    @Override
    public Stream describe(String table) {
      return new Stream(ARN, List.of(new Shard(SHARD, Optional.empty())));
    }

    @Override
    public String position(String streamArn, String shardId, Start start) {
      starts.add(start);
      return start.toString();
    }

    @Override
    public Optional<Page> read(String position) {
      if (position.equals("end")) {
        return Optional.of(new Page(List.of(), Optional.of("end")));
      }
      return position.equals(new Start.Oldest().toString())
          ? Optional.of(new Page(List.of(change("7"), change("8")), Optional.of("end")))
          : Optional.empty();
    }

    private static Record change(String sequenceNumber) {
      return Record.builder()
          .eventName("INSERT")
          .dynamodb(StreamRecord.builder().sequenceNumber(sequenceNumber).build())
          .build();
    }

    @Override
    public long writes() {
      return 0;
    }

    @Override
    public void awaitWrite(long seen) throws InterruptedException {
      boolean _ = nothingMore.await(20, java.util.concurrent.TimeUnit.MILLISECONDS);
    }
  }
}
