package dev.runyard.local.events;

import dev.runyard.local.events.TableStreams.Page;
import dev.runyard.local.events.TableStreams.Shard;
import dev.runyard.local.events.TableStreams.Start;
import dev.runyard.local.events.TableStreams.Stream;
import dev.runyard.local.template.EventSource.StartingPosition;
import dev.runyard.local.threads.StackThreads;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.services.dynamodb.model.Record;

/// Reads the stream of one table once and passes each record to every function mapped to it.
///
/// A shard is read by one thread from the oldest record that some function has not handled. A child
/// shard starts when its parent has been delivered to the end. The stream starts at its newest
/// record only when every mapping asks for that. If records were trimmed before they were read,
/// reading continues at the oldest one left.
public final class StreamReader implements AutoCloseable {
  private static final Logger LOG = System.getLogger(StreamReader.class.getName());
  private static final long IDLE_MILLIS = 20;
  private static final long DISCOVERY_MILLIS = 10_000;
  private static final Duration RETRY_BACKOFF = Duration.ofMillis(100);
  private static final Duration STOP_MAX = Duration.ofSeconds(5);

  private final TableStreams streams;
  private final String table;
  private final List<StreamMapping> mappings;
  private final Checkpoints checkpoints;
  private final InstantSource clock;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final ConcurrentHashMap<String, Thread> active = new ConcurrentHashMap<>();
  private final ConcurrentHashMap.KeySetView<ShardConsumer, Boolean> consumers =
      ConcurrentHashMap.newKeySet();
  private final Set<String> finished = ConcurrentHashMap.newKeySet();
  private final Thread discovery;

  /// Starts reading.
  ///
  /// @param table the table's name
  public StreamReader(
      TableStreams streams,
      String table,
      List<StreamMapping> mappings,
      Checkpoints checkpoints,
      InstantSource clock) {
    this.streams = streams;
    this.table = table;
    this.mappings = List.copyOf(mappings);
    this.checkpoints = checkpoints;
    this.clock = clock;
    this.discovery = StackThreads.start("shards-of-" + table, this::discover);
  }

  private void discover() {
    try {
      do {
        try {
          startShards(streams.describe(table));
        } catch (RuntimeException e) {
          report("cannot list the shards of " + table, e);
        }
      } while (!closed.await(
          active.isEmpty() ? IDLE_MILLIS : DISCOVERY_MILLIS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      LOG.log(Level.DEBUG, "shard discovery of {0} stops", table);
    }
  }

  private synchronized void startShards(Stream stream) {
    Set<String> known = new HashSet<>();
    stream.shards().forEach(shard -> known.add(shard.id()));
    for (Shard shard : stream.shards()) {
      boolean parentDone =
          shard.parent().map(id -> !known.contains(id) || finished.contains(id)).orElse(true);
      if (parentDone && !finished.contains(shard.id()) && closed.getCount() > 0) {
        active.computeIfAbsent(
            shard.id(),
            id -> StackThreads.start("read-" + table, () -> read(stream.arn(), shard.id())));
      }
    }
  }

  private void read(String streamArn, String shardId) {
    List<ShardConsumer> receivers = new ArrayList<>();
    for (StreamMapping mapping : mappings) {
      receivers.add(consumer(mapping, streamArn, shardId));
    }
    consumers.addAll(receivers);
    try {
      Optional<String> position = Optional.empty();
      Optional<String> last = Optional.empty();
      boolean trimmed = false;
      while (closed.getCount() > 0) {
        try {
          if (position.isEmpty()) {
            Start from =
                last.<Start>map(Start.After::new).orElseGet(() -> start(streamArn, shardId));
            position = Optional.of(streams.position(streamArn, shardId, from));
          }
          long seen = streams.writes();
          Optional<Page> answer = streams.read(position.get());
          if (answer.isEmpty()) {
            if (trimmed) {
              streams.awaitWrite(seen);
            }
            trimmed = true;
            position = Optional.of(streams.position(streamArn, shardId, new Start.Oldest()));
            continue;
          }
          trimmed = false;
          Page page = answer.get();
          Optional<String> handed = hand(page, receivers);
          last = handed.isPresent() ? handed : last;
          position = page.next();
          if (position.isEmpty()) {
            finish(shardId, receivers);
            return;
          }
          if (page.records().isEmpty()) {
            streams.awaitWrite(seen);
          }
        } catch (RuntimeException e) {
          report("cannot read " + shardId + " of " + table, e);
          position = Optional.empty();
          closed.await(RETRY_BACKOFF.toMillis(), TimeUnit.MILLISECONDS);
        }
      }
    } catch (InterruptedException e) {
      LOG.log(Level.DEBUG, "reading of {0} stops", shardId);
    } finally {
      active.remove(shardId);
    }
  }

  private Optional<String> hand(Page page, List<ShardConsumer> receivers)
      throws InterruptedException {
    Instant now = clock.instant();
    Optional<String> last = Optional.empty();
    for (Record record : page.records()) {
      StreamEntry entry = new StreamEntry(record, now);
      for (ShardConsumer receiver : receivers) {
        receiver.offer(entry);
      }
      last = Optional.of(entry.sequenceNumber());
    }
    return last;
  }

  private void finish(String shardId, List<ShardConsumer> receivers) throws InterruptedException {
    for (ShardConsumer receiver : receivers) {
      receiver.drain();
      consumers.remove(receiver);
    }
    finished.add(shardId);
    active.remove(shardId);
    startShards(streams.describe(table));
  }

  private ShardConsumer consumer(StreamMapping mapping, String streamArn, String shardId) {
    String function = mapping.function().name();
    BatchDelivery delivery =
        new BatchDelivery(
            mapping,
            new ShardAddress(streamArn, shardId),
            clock,
            RETRY_BACKOFF,
            wait -> !closed.await(wait.toMillis(), TimeUnit.MILLISECONDS),
            done -> checkpoints.set(function, streamArn, shardId, done));
    return new ShardConsumer(mapping, delivery, checkpoints.get(function, streamArn, shardId));
  }

  private Start start(String streamArn, String shardId) {
    List<Optional<String>> done =
        mappings.stream()
            .map(mapping -> checkpoints.get(mapping.function().name(), streamArn, shardId))
            .toList();
    if (done.stream().allMatch(Optional::isPresent)) {
      return done.stream()
          .flatMap(Optional::stream)
          .min(Comparator.comparing(StreamEntry::position))
          .<Start>map(Start.After::new)
          .orElseGet(Start.Oldest::new);
    }
    boolean newest =
        mappings.stream()
            .allMatch(mapping -> mapping.settings().start() == StartingPosition.LATEST);
    return newest ? new Start.Newest() : new Start.Oldest();
  }

  private void report(String problem, RuntimeException e) {
    if (closed.getCount() > 0) {
      LOG.log(Level.WARNING, problem, e);
    }
  }

  /// Stops reading and delivering; a running function gets a moment to return.
  @Override
  public void close() {
    closed.countDown();
    discovery.interrupt();
    consumers.forEach(ShardConsumer::stop);
    try {
      for (ShardConsumer consumer : consumers) {
        consumer.awaitStopped(STOP_MAX);
      }
      for (Thread reader : List.copyOf(active.values())) {
        if (!reader.join(STOP_MAX)) {
          reader.interrupt();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
