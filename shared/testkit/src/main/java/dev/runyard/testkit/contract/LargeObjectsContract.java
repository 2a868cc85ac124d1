package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.LargeObjects;
import dev.runyard.core.ids.Digest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What all [LargeObjects] promise.
public abstract class LargeObjectsContract {
  private static final int OPEN_SECONDS = 600;
  private static final LargeObjects.Label LABEL =
      new LargeObjects.Label("dist/näme \"with\"\nline.bin", "text/html");

  private LargeObjects objects;
  private String prefix = "";

  /// The objects under test, and the store of the same keys.
  protected abstract LargeObjects objects();

  protected abstract ArtifactStore store();

  /// The time by which addresses open.
  protected abstract Instant now();

  /// What a client finds at an address, without any proof.
  ///
  /// @param range the `Range` header; empty for none
  protected abstract Got get(String address, String range) throws Exception;

  /// What an address gives.
  ///
  /// @param content empty if the address gives none
  @SuppressWarnings("ArrayRecordComponent")
  public record Got(Optional<byte[]> content, String contentType, String disposition) {
    /// Nothing is to be had there.
    public static final Got NOTHING = new Got(Optional.empty(), "", "");
  }

  /// Where the part of a range begins, for a test without a server.
  protected static long from(String range, long bytes) {
    if (range.isEmpty()) {
      return 0;
    }
    String[] ends = range.substring("bytes=".length()).split("-", -1);
    return ends[0].isEmpty() ? bytes - Long.parseLong(ends[1]) : Long.parseLong(ends[0]);
  }

  /// Where it ends.
  protected static long to(String range, long bytes) {
    String[] ends = range.isEmpty() ? new String[] {"", ""} : range.substring(6).split("-", -1);
    return ends[0].isEmpty() || ends[1].isEmpty() ? bytes : Long.parseLong(ends[1]) + 1;
  }

  @BeforeEach
  void open() {
    objects = objects();
    prefix = SampleRuns.tenant() + "/runs/r/changes/a/";
  }

  @Test
  void giveToWhoHasTheAddressWhatWasPut() throws Exception {
    byte[] content = bytes(3 * 1024 * 1024 + 17);
    assertFalse(objects.holds(prefix + "x"));

    objects.put(prefix + "x", new Given(content));

    assertTrue(objects.holds(prefix + "x"));
    Got got = get(address("x"), "");
    assertArrayEquals(content, got.content().orElseThrow());
    assertEquals("text/html", got.contentType());
    assertEquals(
        "attachment; filename*=UTF-8''n%C3%A4me%20%22with%22%0Aline.bin", got.disposition());
    assertArrayEquals(content, store().get(prefix + "x").orElseThrow());
  }

  @Test
  void giveParts() throws Exception {
    int mebi = 1024 * 1024;
    byte[] content = bytes(2 * mebi + 10);
    objects.put(prefix + "x", new Given(content));
    String address = address("x");

    assertArrayEquals(
        Arrays.copyOfRange(content, mebi - 3, mebi + 4),
        get(address, "bytes=%d-%d".formatted(mebi - 3, mebi + 3)).content().orElseThrow());
    assertArrayEquals(
        Arrays.copyOfRange(content, 2 * mebi, content.length),
        get(address, "bytes=%d-".formatted(2 * mebi)).content().orElseThrow());
    assertArrayEquals(
        Arrays.copyOfRange(content, content.length - 5, content.length),
        get(address, "bytes=-5").content().orElseThrow());
  }

  @Test
  void replaceAndTakeWhatTheStoreHas() throws Exception {
    objects.put(prefix + "x", new Given(bytes(20)));
    objects.put(prefix + "x", new Given(bytes(10)));
    store().put(prefix + "y", bytes(7));

    assertArrayEquals(bytes(10), get(address("x"), "").content().orElseThrow());
    assertArrayEquals(bytes(7), get(address("y"), "").content().orElseThrow());
    store().delete(prefix + "x");
    assertFalse(objects.holds(prefix + "x"));
    assertEquals(Optional.empty(), get(address("x"), "").content());
  }

  @Test
  void takeNothing() throws Exception {
    objects.put(prefix + "x", new Given(new byte[0]));

    assertTrue(objects.holds(prefix + "x"));
    assertEquals(0, get(address("x"), "").content().orElseThrow().length);
  }

  @Test
  void keepNothingOfWhatCannotBeRead() {
    byte[] content = bytes(2 * 1024 * 1024);
    for (LargeObjects.Content bad :
        new LargeObjects.Content[] {
          new Given(content, content.length, hex(bytes(1))), new Broken(content)
        }) {
      assertThrows(Exception.class, () -> objects.put(prefix + "x", bad));
      assertFalse(objects.holds(prefix + "x"));
    }
  }

  @Test
  void openKeysOnly() {
    assertThrows(
        IllegalArgumentException.class,
        () -> objects.address(prefix + "../x", LABEL, now().plusSeconds(OPEN_SECONDS)));
  }

  private String address(String object) {
    return objects.address(prefix + object, LABEL, now().plusSeconds(OPEN_SECONDS));
  }

  private static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    new Random(count).nextBytes(bytes);
    return bytes;
  }

  private static String hex(byte[] content) {
    return HexFormat.of().formatHex(Digest.of(content));
  }

  @SuppressWarnings("ArrayRecordComponent")
  private record Given(byte[] content, long bytes, String sha256) implements LargeObjects.Content {
    Given(byte[] content) {
      this(content, content.length, hex(content));
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(content);
    }
  }

  /// A file that cannot be read to its end.
  @SuppressWarnings("ArrayRecordComponent")
  private record Broken(byte[] content) implements LargeObjects.Content {
    @Override
    public long bytes() {
      return content.length;
    }

    @Override
    public String sha256() {
      return hex(content);
    }

    @Override
    public InputStream open() {
      return new InputStream() {
        @Override
        public int read() throws IOException {
          throw new IOException("it is gone");
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
          throw new IOException("it is gone");
        }
      };
    }
  }
}
