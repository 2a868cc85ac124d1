package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.upload.UploadFormat;
import dev.runyard.core.upload.UploadId;
import dev.runyard.core.upload.UploadPlaces;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What all [UploadPlaces] promise.
public abstract class UploadPlacesContract {
  private static final byte[] CONTENT = "an archive".getBytes(StandardCharsets.UTF_8);
  private static final int OPEN_SECONDS = 600;

  private UploadPlaces places;
  private String tenant = "";

  /// The places under test, and the store that what is put there comes to.
  protected abstract UploadPlaces places();

  protected abstract ArtifactStore store();

  /// The time by which places open and close.
  protected abstract Instant now();

  /// Puts bytes at a place as a client does; false if they are refused.
  protected abstract boolean put(UploadPlaces.Place place, byte[] content) throws Exception;

  @BeforeEach
  void open() {
    places = places();
    tenant = SampleRuns.tenant();
  }

  @Test
  void holdWhatWasPutAndNothingBefore() throws Exception {
    UploadId id = id(CONTENT);
    UploadPlaces.Place place = opened(id, CONTENT.length);

    assertEquals(OptionalLong.empty(), places.bytes(tenant, id));
    assertEquals(List.of(), places.list(tenant));
    assertTrue(put(place, CONTENT));
    assertEquals(OptionalLong.of(CONTENT.length), places.bytes(tenant, id));
    assertEquals(List.of(id), places.list(tenant));
    assertArrayEquals(CONTENT, store().get(id.key(tenant)).orElseThrow());
  }

  @Test
  void takeTheSameBytesAgain() throws Exception {
    UploadPlaces.Place place = opened(id(CONTENT), CONTENT.length);

    assertTrue(put(place, CONTENT));
    assertTrue(put(place, CONTENT));
    assertEquals(1, places.list(tenant).size());
  }

  @Test
  void takeNoOtherBytes() throws Exception {
    UploadId id = id(CONTENT);
    UploadPlaces.Place place = opened(id, CONTENT.length);

    assertFalse(put(place, "an ARCHIVE".getBytes(StandardCharsets.UTF_8)));
    assertFalse(put(place, "an archive and more".getBytes(StandardCharsets.UTF_8)));
    assertFalse(put(place, new byte[0]));
    assertEquals(OptionalLong.empty(), places.bytes(tenant, id));
    assertEquals(Optional.empty(), store().get(id.key(tenant)));
  }

  @Test
  void keepTenantsAndUploadsApart() throws Exception {
    byte[] other = "another".getBytes(StandardCharsets.UTF_8);
    put(opened(id(CONTENT), CONTENT.length), CONTENT);
    put(opened(id(other), other.length), other);

    assertEquals(Set.of(id(CONTENT), id(other)), Set.copyOf(places.list(tenant)));
    assertEquals(List.of(), places.list(tenant + "x"));
    assertEquals(OptionalLong.empty(), places.bytes(tenant + "x", id(other)));
  }

  private UploadPlaces.Place opened(UploadId id, long bytes) {
    return places.open(tenant, id, bytes, now().plusSeconds(OPEN_SECONDS));
  }

  private UploadId id(byte[] content) {
    return UploadId.at(HexFormat.of().formatHex(Digest.of(content)), UploadFormat.TAR_GZ, now());
  }
}
