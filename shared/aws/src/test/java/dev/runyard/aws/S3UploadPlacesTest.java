package dev.runyard.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.runyard.core.upload.UploadFormat;
import dev.runyard.core.upload.UploadId;
import dev.runyard.core.upload.UploadPlaces;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// The address of an upload's place, as S3 will read it.
final class S3UploadPlacesTest {
  private static final String SHA256 =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  /// S3 puts an object under a key of KMS only with version 4 of signatures. The bucket says which
  /// key, so that no header has to.
  @Test
  void signsLengthAndHashAndNothingOfTheKey() {
    AwsClients clients =
        new AwsClients(
            new Settings(
                Map.of(
                    Settings.REGION,
                    "eu-west-1",
                    Settings.ACCESS_KEY_ID,
                    "id",
                    Settings.SECRET_ACCESS_KEY,
                    "secret")));
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    UploadPlaces.Place place =
        new S3UploadPlaces(clients.s3(), clients.presigner(), "artifacts", InstantSource.fixed(now))
            .open(
                "acme",
                new UploadId(SHA256, UploadFormat.TAR_GZ, now),
                7,
                now.plus(Duration.ofMinutes(15)));

    URI url = URI.create(place.url());
    Map<String, String> query = new TreeMap<>();
    for (String pair : url.getQuery().split("&", -1)) {
      query.put(pair.split("=", 2)[0], pair.split("=", 2)[1]);
    }
    assertEquals("artifacts.s3.eu-west-1.amazonaws.com", url.getHost());
    assertEquals("PUT", place.method());
    assertEquals("AWS4-HMAC-SHA256", query.get("X-Amz-Algorithm"));
    assertEquals("900", query.get("X-Amz-Expires"));
    List<String> signed =
        Arrays.asList(Objects.requireNonNull(query.get("X-Amz-SignedHeaders")).split(";", -1));
    assertEquals(
        List.of("content-length", "host", "x-amz-checksum-sha256", "x-amz-sdk-checksum-algorithm"),
        signed);
    assertEquals(
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
        place.headers().get("x-amz-checksum-sha256"));
    assertFalse(place.toString().contains("server-side-encryption"));
  }
}
