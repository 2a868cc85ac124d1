package dev.runyard.embedded;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.ids.Digest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/// Objects as parts of at most [#PART_BYTES_MAX], so that a large one holds no other write up for
/// long. An object is there once its key names its parts; parts that no key names are loose, and
/// are removed by and by ([StoreExpiry]).
final class SqliteArtifactStore implements ArtifactStore {
  static final int PART_BYTES_MAX = 1024 * 1024;

  private static final String PART = "insert into parts (object, part, content) values (?, ?, ?)";
  private static final String LOOSE =
      "insert into loose (object) values (?) on conflict do nothing";
  private static final String NAMED = "delete from loose where object = ?";
  private static final String NAME =
      "insert into objects (key, object, version, expires) values (?, ?, ?, ?)"
          + " on conflict (key) do update set object = excluded.object,"
          + " version = excluded.version, expires = excluded.expires";

  /// Lets go of the parts a key names.
  static final String LOOSEN =
      "insert into loose (object) select object from objects where key = ? on conflict do nothing";

  static final String DELETE = "delete from objects where key = ?";
  private static final String VERSION = "select version from objects where key = ?";
  private static final String CONTENT =
      "select version, content from objects join parts using (object) where key = ? order by part";

  private final StoreDatabase database;
  private final StoreEnvironment environment;
  private final Duration retention;
  private final Set<String> beingPut = ConcurrentHashMap.newKeySet();

  SqliteArtifactStore(StoreDatabase database, StoreEnvironment environment, Duration retention) {
    this.database = database;
    this.environment = environment;
    this.retention = retention;
  }

  @Override
  public void put(String key, byte[] content) {
    put(key, content, retention);
  }

  /// Puts an object that is kept for a time of its own.
  void put(String key, byte[] content, Duration kept) {
    put(key, content, kept, _ -> true);
  }

  @Override
  public boolean replace(String key, Optional<String> version, byte[] content) {
    String own = version(content);
    return put(
        key, content, retention, there -> there.equals(version) || there.equals(Optional.of(own)));
  }

  private boolean put(
      String key, byte[] content, Duration kept, Predicate<Optional<String>> condition) {
    try {
      return put(key, new ByteArrayInputStream(content), kept, Put.where(condition));
    } catch (IOException e) {
      throw new IllegalStateException("memory can be read", e);
    }
  }

  /// Puts an object of any length, of which one part is in memory at a time.
  ///
  /// @param sha256 its version, if it is the right one
  /// @return false for other bytes, of which nothing is kept
  boolean put(String key, InputStream content, String sha256) throws IOException {
    return put(key, content, retention, new Put(_ -> true, sha256::equals));
  }

  /// When an object is put.
  ///
  /// @param there holds for the version of what is there
  /// @param own holds for the object's own
  private record Put(Predicate<Optional<String>> there, Predicate<String> own) {
    static Put where(Predicate<Optional<String>> there) {
      return new Put(there, _ -> true);
    }
  }

  private boolean put(String key, InputStream content, Duration kept, Put when) throws IOException {
    String checked = ArtifactStore.checked(key);
    String object = environment.ids().token();
    beingPut.add(object);
    try {
      MessageDigest digest = Digest.begun();
      byte[] last = content.readNBytes(PART_BYTES_MAX);
      int parts = 0;
      byte[] next = content.readNBytes(PART_BYTES_MAX);
      while (next.length > 0) {
        digest.update(last);
        putLoose(object, parts, last);
        parts++;
        last = next;
        next = content.readNBytes(PART_BYTES_MAX);
      }
      digest.update(last);
      String version = HexFormat.of().formatHex(digest.digest());
      return when.own().test(version)
          && name(checked, new Ending(object, parts, last), version, kept, when);
    } finally {
      beingPut.remove(object);
    }
  }

  /// The part that makes an object whole.
  @SuppressWarnings("ArrayRecordComponent")
  private record Ending(String object, int part, byte[] content) {}

  private boolean name(String key, Ending ending, String version, Duration kept, Put when) {
    long expires = environment.clock().instant().plus(kept).toEpochMilli();
    return database.write(
        "put artifact",
        connection -> {
          if (!when.there().test(connection.row(StoreConnection.Row.TEXT, VERSION, key))) {
            return false;
          }
          connection.update(PART, ending.object(), ending.part(), ending.content());
          connection.update(LOOSEN, key);
          connection.update(NAMED, ending.object());
          connection.update(NAME, key, ending.object(), version, expires);
          return true;
        });
  }

  private void putLoose(String object, int part, byte[] content) {
    database.write(
        "put artifact",
        connection -> {
          connection.update(LOOSE, object);
          return connection.update(PART, object, part, content);
        });
  }

  private static String version(byte[] content) {
    return HexFormat.of().formatHex(Digest.of(content));
  }

  @Override
  public Optional<byte[]> get(String key) {
    return find(key).map(Versioned::content);
  }

  @Override
  public Optional<Versioned> find(String key) {
    String checked = ArtifactStore.checked(key);
    List<Versioned> parts =
        database.read(
            "get artifact",
            connection ->
                connection.rows(
                    found -> new Versioned(found.getBytes(2), found.getString(1)),
                    CONTENT,
                    checked));
    return parts.stream().findFirst().map(first -> new Versioned(joined(parts), first.version()));
  }

  private static byte[] joined(List<Versioned> parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    parts.forEach(part -> content.writeBytes(part.content()));
    return content.toByteArray();
  }

  @Override
  public void delete(String key) {
    String checked = ArtifactStore.checked(key);
    database.write(
        "delete artifact",
        connection -> {
          connection.update(LOOSEN, checked);
          return connection.update(DELETE, checked);
        });
  }

  /// Whether the parts are loose because their object is being put right now.
  boolean isBeingPut(String object) {
    return beingPut.contains(object);
  }
}
