package dev.runyard.embedded;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.LargeObjects;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Large objects of the store itself, which reads and writes them part by part. An address is of
/// the process that made it ([SignedPaths]).
public final class SqliteLargeObjects implements LargeObjects {
  /// What the paths of addresses begin with.
  public static final String PATH = "/downloads/";

  private static final String KEY = "select key from objects where key = ?";
  private static final String SIZE =
      "select objects.object, version, sum(length(content)) from objects join parts using (object)"
          + " where key = ? group by objects.object";
  private static final String PART = "select content from parts where object = ? and part = ?";

  private final StoreDatabase database;
  private final StoreEnvironment environment;
  private final SqliteArtifactStore objects;
  private final SignedPaths paths;

  SqliteLargeObjects(
      StoreDatabase database, StoreEnvironment environment, SqliteArtifactStore objects) {
    this.database = database;
    this.environment = environment;
    this.objects = objects;
    this.paths = new SignedPaths(PATH, environment.ids());
  }

  /// What is at an address.
  public sealed interface Got {
    /// An object, to be written as often as wanted.
    ///
    /// @param version what distinguishes it from any other
    record Found(Label label, String version, long bytes, Parts parts) implements Got {}

    /// The address is none of this store's, or there is nothing any more.
    record Unknown() implements Got {}

    record Expired() implements Got {}
  }

  /// Writes a part of an object.
  @FunctionalInterface
  public interface Parts {
    /// Writes so many bytes from there on.
    ///
    /// @throws IOException if it cannot be written, or was removed meanwhile
    void write(OutputStream to, long from, long length) throws IOException;
  }

  @Override
  public void put(String key, Content content) throws IOException {
    try (InputStream in = content.open()) {
      if (!objects.put(key, in, content.sha256())) {
        throw new IOException("the content is not what it says");
      }
    }
  }

  @Override
  public boolean holds(String key) {
    String checked = ArtifactStore.checked(key);
    return database
        .read("find object", connection -> connection.row(StoreConnection.Row.TEXT, KEY, checked))
        .isPresent();
  }

  /// Of a name it says the last segment only, as what the file is saved: an address is no longer
  /// for a deep path.
  @Override
  public String address(String key, Label label, Instant until) {
    return paths.made(
        List.of(
            ArtifactStore.checked(key),
            label.name().substring(label.name().lastIndexOf('/') + 1),
            label.contentType(),
            Long.toString(until.getEpochSecond())));
  }

  /// What a client finds at a path.
  public Got get(String path) {
    Optional<List<String>> fields = paths.read(path);
    if (fields.isEmpty()) {
      return new Got.Unknown();
    }
    List<String> said = fields.get();
    Instant until = Instant.ofEpochSecond(Long.parseLong(said.get(3)));
    if (!environment.clock().instant().isBefore(until)) {
      return new Got.Expired();
    }
    Label label = new Label(said.get(1), said.get(2));
    return database
        .read(
            "find object",
            connection ->
                connection.row(
                    found -> found(label, found.getString(1), found.getString(2), found.getLong(3)),
                    SIZE,
                    said.getFirst()))
        .orElseGet(Got.Unknown::new);
  }

  private Got found(Label label, String object, String version, long bytes) {
    return new Got.Found(
        label, version, bytes, (to, from, length) -> write(object, to, from, length));
  }

  private void write(String object, OutputStream to, long from, long length) throws IOException {
    long at = from;
    long end = from + length;
    while (at < end) {
      int number = (int) (at / SqliteArtifactStore.PART_BYTES_MAX);
      int offset = (int) (at % SqliteArtifactStore.PART_BYTES_MAX);
      byte[] part =
          database
              .read(
                  "get object",
                  connection -> connection.row(row -> row.getBytes(1), PART, object, number))
              .orElseThrow(() -> new IOException("the object was removed"));
      int count = (int) Math.min(part.length - offset, end - at);
      if (count <= 0) {
        throw new IOException("the object is shorter than it was");
      }
      to.write(part, offset, count);
      at += count;
    }
  }
}
