package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.upload.UploadFormat;
import dev.runyard.core.upload.UploadId;
import dev.runyard.core.upload.UploadPlaces;
import dev.runyard.testkit.contract.UploadPlacesContract;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class SqliteUploadPlacesTest extends UploadPlacesContract {
  private static final byte[] CONTENT = {1, 2, 3};
  private final StoreRig rig;

  SqliteUploadPlacesTest(StoreRig rig) {
    this.rig = rig;
  }

  @Test
  void takesNothingAtAnAddressThatItDidNotMake() throws Exception {
    String path = opened().url();
    int dot = path.indexOf('.');
    UploadPlaces.Place other =
        rig.store().uploads().open("acme", id(), CONTENT.length + 1, rig.clock().instant());
    String mixed = other.url();

    for (String forged :
        new String[] {
          path.substring(0, dot),
          path.substring(0, dot) + mixed.substring(mixed.indexOf('.')),
          SqliteUploadPlaces.PATH + "." + path.substring(dot + 1),
          SqliteUploadPlaces.PATH,
          "/uploads",
          SqliteUploadPlaces.PATH + "%00.%00"
        }) {
      assertEquals(SqliteUploadPlaces.Put.UNKNOWN, put(forged), forged);
    }
    assertEquals(SqliteUploadPlaces.Put.STORED, put(path));
  }

  @Test
  void closesAPlaceInTime() throws Exception {
    String path = opened().url();
    rig.clock().advance(Duration.ofSeconds(60));

    assertEquals(SqliteUploadPlaces.Put.EXPIRED, put(path));
  }

  @Test
  void forgetsBytesWhenNoRunCanNeedThem() throws Exception {
    put(opened().url());
    rig.clock().advance(Duration.ofDays(Limits.UPLOAD_DAYS).minusSeconds(1));
    rig.store().expire();
    assertTrue(places().bytes("acme", id()).isPresent());

    rig.clock().advance(Duration.ofSeconds(1));
    rig.store().expire();

    assertFalse(places().bytes("acme", id()).isPresent());
  }

  private UploadPlaces.Place opened() {
    return places().open("acme", id(), CONTENT.length, rig.clock().instant().plusSeconds(60));
  }

  private static UploadId id() {
    return UploadId.at(
        HexFormat.of().formatHex(Digest.of(CONTENT)),
        UploadFormat.ZIP,
        Instant.parse("2026-03-01T12:00:00Z"));
  }

  private SqliteUploadPlaces.Put put(String path) throws Exception {
    return rig.store().uploads().put(path, new ByteArrayInputStream(CONTENT));
  }

  @Override
  protected UploadPlaces places() {
    return rig.store().uploads();
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
  protected boolean put(UploadPlaces.Place place, byte[] content) throws Exception {
    return rig.store().uploads().put(place.url(), new ByteArrayInputStream(content))
        == SqliteUploadPlaces.Put.STORED;
  }
}
