package dev.runyard.local.events;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/// Each function's position in each shard: the sequence number of the last record it is done with.
/// With a file, positions survive the stack; what was handled after the last save is handled again,
/// which stream functions must allow anyway.
public final class Checkpoints {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Optional<Path> file;
  private final ConcurrentHashMap<String, String> positions = new ConcurrentHashMap<>();
  private final AtomicBoolean changed = new AtomicBoolean();

  /// Positions that start with those of the file, if there is one.
  public Checkpoints(Optional<Path> file) {
    this.file = file;
    file.filter(Files::exists).ifPresent(path -> positions.putAll(load(path)));
  }

  Optional<String> get(String function, String streamArn, String shardId) {
    return Optional.ofNullable(positions.get(key(function, streamArn, shardId)));
  }

  void set(String function, String streamArn, String shardId, String sequenceNumber) {
    positions.put(key(function, streamArn, shardId), sequenceNumber);
    changed.set(true);
  }

  /// Writes the file if a position moved since it was last written.
  public synchronized void save() {
    if (file.isEmpty() || !changed.getAndSet(false)) {
      return;
    }
    Path path = file.get();
    Path draft = path.resolveSibling(path.getFileName() + ".new");
    try {
      JSON.writeValue(draft.toFile(), Map.copyOf(positions));
      Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + path, e);
    }
  }

  private static Map<String, String> load(Path path) {
    try {
      return JSON.readValue(path.toFile(), new TypeReference<Map<String, String>>() {});
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + path, e);
    }
  }

  private static String key(String function, String streamArn, String shardId) {
    return function + " " + streamArn + " " + shardId;
  }
}
