package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.Attachment;
import dev.runyard.core.artifact.LargeObjects;
import dev.runyard.testkit.contract.LargeObjectsContract;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class SqliteLargeObjectsTest extends LargeObjectsContract {
  private static final String KEY = "acme/runs/r/changes/a/x";
  private static final LargeObjects.Label LABEL = new LargeObjects.Label("x", "text/plain");
  private final StoreRig rig;

  SqliteLargeObjectsTest(StoreRig rig) {
    this.rig = rig;
  }

  @Test
  void knowsItsOwnAddressesOnly() {
    rig.store().artifacts().put(KEY, new byte[] {1});
    rig.store().artifacts().put(KEY + "2", new byte[] {2});
    String path = opened(KEY);
    String other = opened(KEY + "2");
    int dot = path.indexOf('.');

    for (String forged :
        new String[] {
          path.substring(0, dot),
          path.substring(0, dot) + other.substring(other.indexOf('.')),
          SqliteLargeObjects.PATH,
          SqliteLargeObjects.PATH + "%00.%00",
          SqliteUploadPlaces.PATH + path.substring(SqliteLargeObjects.PATH.length())
        }) {
      assertInstanceOf(
          SqliteLargeObjects.Got.Unknown.class, rig.store().large().get(forged), forged);
    }
    assertInstanceOf(SqliteLargeObjects.Got.Found.class, rig.store().large().get(path));
    rig.clock().advance(Duration.ofSeconds(60));
    assertInstanceOf(SqliteLargeObjects.Got.Expired.class, rig.store().large().get(path));
  }

  /// The server of the machine takes no longer ones.
  @Test
  void makesShortAddressesOfLongNames() {
    String name = "ü".repeat(100) + ".txt";
    LargeObjects.Label deep =
        new LargeObjects.Label(("文".repeat(80) + "/").repeat(15) + name, "text/plain");
    rig.store().artifacts().put(KEY, new byte[] {1});

    String address = rig.store().large().address(KEY, deep, rig.clock().instant().plusSeconds(60));

    assertTrue(address.length() < 2_000, address);
    var found =
        assertInstanceOf(SqliteLargeObjects.Got.Found.class, rig.store().large().get(address));
    assertEquals(name, found.label().name());
    assertEquals(Attachment.named(deep.name()), Attachment.named(found.label().name()));
  }

  @Test
  void cutsOffADownloadWhoseObjectIsRemoved() {
    rig.store().artifacts().put(KEY, new byte[3 * SqliteArtifactStore.PART_BYTES_MAX]);
    var found =
        Assertions.assertInstanceOf(
            SqliteLargeObjects.Got.Found.class, rig.store().large().get(opened(KEY)));

    Assertions.assertThrows(
        IOException.class,
        () -> found.parts().write(new RemovesAfterTheFirstPart(), 0, found.bytes()));
  }

  private final class RemovesAfterTheFirstPart extends OutputStream {
    @Override
    public void write(int one) {
      throw new AssertionError("parts are written whole");
    }

    @Override
    public void write(byte[] part, int from, int length) {
      assertEquals(SqliteArtifactStore.PART_BYTES_MAX, length);
      rig.store().artifacts().delete(KEY);
      rig.store().expire();
    }
  }

  private String opened(String key) {
    return rig.store().large().address(key, LABEL, rig.clock().instant().plusSeconds(60));
  }

  @Override
  protected LargeObjects objects() {
    return rig.store().large();
  }

  @Override
  protected ArtifactStore store() {
    return rig.store().artifacts();
  }

  @Override
  protected Instant now() {
    return rig.clock().instant();
  }

  @Override
  protected Got get(String address, String range) throws Exception {
    return switch (rig.store().large().get(address)) {
      case SqliteLargeObjects.Got.Unknown _, SqliteLargeObjects.Got.Expired _ -> Got.NOTHING;
      case SqliteLargeObjects.Got.Found found -> {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        long from = from(range, found.bytes());
        found.parts().write(content, from, to(range, found.bytes()) - from);
        yield new Got(
            Optional.of(content.toByteArray()),
            found.label().contentType(),
            Attachment.named(found.label().name()));
      }
    };
  }
}
