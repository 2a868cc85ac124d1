package dev.runyard.embedded;

import dev.runyard.core.ids.Digest;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.upload.UploadId;
import dev.runyard.core.upload.UploadPlaces;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// Places of the store itself. A place is of the process that opened it ([SignedPaths]).
public final class SqliteUploadPlaces implements UploadPlaces {
  /// What the paths of places begin with.
  public static final String PATH = "/uploads/";

  private static final String KEYS =
      "select key from objects where key > ? and key < ? order by key limit ?";
  private static final String BYTES =
      "select sum(length(content)) from objects join parts using (object) where key = ?"
          + " group by key";

  private final StoreDatabase database;
  private final StoreEnvironment environment;
  private final SqliteArtifactStore objects;
  private final SignedPaths paths;

  SqliteUploadPlaces(
      StoreDatabase database, StoreEnvironment environment, SqliteArtifactStore objects) {
    this.database = database;
    this.environment = environment;
    this.objects = objects;
    this.paths = new SignedPaths(PATH, environment.ids());
  }

  /// What became of a put.
  public enum Put {
    STORED,
    /// The address is none of this store's.
    UNKNOWN,
    EXPIRED,
    /// The bytes are not those that the address is for.
    OTHER_BYTES
  }

  /// What an address allows.
  private record Pass(String tenant, UploadId id, long bytes, Instant until) {
    List<String> fields() {
      return List.of(
          tenant, id.text(), Long.toString(bytes), Long.toString(until.getEpochSecond()));
    }

    static Optional<Pass> of(List<String> fields) {
      return UploadId.parse(fields.get(1))
          .map(
              id ->
                  new Pass(
                      fields.get(0),
                      id,
                      Long.parseLong(fields.get(2)),
                      Instant.ofEpochSecond(Long.parseLong(fields.get(3)))));
    }
  }

  @Override
  public Place open(String tenant, UploadId id, long bytes, Instant until) {
    return new Place(
        paths.made(new Pass(tenant, id, bytes, until).fields()), "PUT", Map.of(), until);
  }

  /// Takes the bytes of a request. What is more than the address allows is not read.
  ///
  /// @param path of the request
  public Put put(String path, InputStream body) throws IOException {
    Optional<Pass> given = pass(path);
    if (given.isEmpty()) {
      return Put.UNKNOWN;
    }
    Pass pass = given.get();
    if (!environment.clock().instant().isBefore(pass.until())) {
      return Put.EXPIRED;
    }
    byte[] content = body.readNBytes((int) Math.min(pass.bytes(), Limits.UPLOAD_BYTES_MAX) + 1);
    if (content.length != pass.bytes()
        || !HexFormat.of().formatHex(Digest.of(content)).equals(pass.id().sha256())) {
      return Put.OTHER_BYTES;
    }
    objects.put(pass.id().key(pass.tenant()), content, Duration.ofDays(Limits.UPLOAD_DAYS));
    return Put.STORED;
  }

  private Optional<Pass> pass(String path) {
    return paths.read(path).flatMap(Pass::of);
  }

  @Override
  public OptionalLong bytes(String tenant, UploadId id) {
    String key = id.key(tenant);
    return database
        .read("find upload", connection -> connection.row(StoreConnection.Row.NUMBER, BYTES, key))
        .stream()
        .mapToLong(Long::longValue)
        .findFirst();
  }

  @Override
  public List<UploadId> list(String tenant) {
    String prefix = UploadId.prefix(tenant);
    return database
        .read(
            "list uploads",
            connection ->
                connection.rows(
                    StoreConnection.Row.TEXT, KEYS, prefix, prefix + "\uffff", LISTED_MAX))
        .stream()
        .flatMap(key -> UploadId.parse(key.substring(prefix.length())).stream())
        .toList();
  }
}
