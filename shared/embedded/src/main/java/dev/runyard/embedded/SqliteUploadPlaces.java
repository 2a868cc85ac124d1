package dev.runyard.embedded;

import dev.runyard.core.ids.Digest;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.upload.UploadId;
import dev.runyard.core.upload.UploadPlaces;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Places of the store itself. What an address allows is written in it, with a code that only this
/// open store can make, so that nothing is kept of places that nobody uses. A place is of the
/// process that opened it.
public final class SqliteUploadPlaces implements UploadPlaces {
  /// What the paths of places begin with.
  public static final String PATH = "/uploads/";

  private static final String MAC = "HmacSHA256";
  private static final String KEYS =
      "select key from objects where key > ? and key < ? order by key limit ?";
  private static final String KEY = "select key from objects where key = ?";

  private final StoreDatabase database;
  private final StoreEnvironment environment;
  private final SqliteArtifactStore objects;
  private final SecretKeySpec secret;

  SqliteUploadPlaces(
      StoreDatabase database, StoreEnvironment environment, SqliteArtifactStore objects) {
    this.database = database;
    this.environment = environment;
    this.objects = objects;
    String drawn = environment.ids().token() + environment.ids().token();
    this.secret = new SecretKeySpec(drawn.getBytes(StandardCharsets.UTF_8), MAC);
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
    String text() {
      return String.join(
          " ", tenant, id.text(), Long.toString(bytes), Long.toString(until.getEpochSecond()));
    }

    static Optional<Pass> of(String text) {
      String[] parts = text.split(" ", -1);
      return UploadId.parse(parts[1])
          .map(
              id ->
                  new Pass(
                      parts[0],
                      id,
                      Long.parseLong(parts[2]),
                      Instant.ofEpochSecond(Long.parseLong(parts[3]))));
    }
  }

  @Override
  public Place open(String tenant, UploadId id, long bytes, Instant until) {
    byte[] text = new Pass(tenant, id, bytes, until).text().getBytes(StandardCharsets.UTF_8);
    return new Place(PATH + encoded(text) + "." + encoded(code(text)), "PUT", Map.of(), until);
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
    String[] parts = path.startsWith(PATH) ? path.substring(PATH.length()).split("\\.", -1) : null;
    if (parts == null || parts.length != 2) {
      return Optional.empty();
    }
    try {
      byte[] text = Base64.getUrlDecoder().decode(parts[0]);
      return MessageDigest.isEqual(code(text), Base64.getUrlDecoder().decode(parts[1]))
          ? Pass.of(new String(text, StandardCharsets.UTF_8))
          : Optional.empty();
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private byte[] code(byte[] text) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(secret);
      return mac.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no " + MAC, e);
    }
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  @Override
  public boolean holds(String tenant, UploadId id) {
    String key = id.key(tenant);
    return database
        .read("find upload", connection -> connection.row(StoreConnection.Row.TEXT, KEY, key))
        .isPresent();
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
