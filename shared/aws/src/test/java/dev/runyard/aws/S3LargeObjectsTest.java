package dev.runyard.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.artifact.LargeObjects;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// The address of a large object, as S3 will read it.
final class S3LargeObjectsTest {
  @Test
  void signsWhatIsGotAndAsWhat() {
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
    URI url =
        URI.create(
            new S3LargeObjects(
                    clients.s3(),
                    clients.s3Large(),
                    clients::presigner,
                    "artifacts",
                    InstantSource.fixed(now))
                .address(
                    "acme/runs/r/changes/a/artifact-0",
                    new LargeObjects.Label("dist/a b.html", "text/html"),
                    now.plus(Duration.ofMinutes(15))));

    Map<String, String> query = new TreeMap<>();
    for (String pair : url.getQuery().split("&", -1)) {
      query.put(pair.split("=", 2)[0], pair.split("=", 2)[1]);
    }
    assertEquals("artifacts.s3.eu-west-1.amazonaws.com", url.getHost());
    assertEquals("/acme/runs/r/changes/a/artifact-0", url.getPath());
    assertEquals("AWS4-HMAC-SHA256", query.get("X-Amz-Algorithm"));
    assertEquals("900", query.get("X-Amz-Expires"));
    assertEquals("host", query.get("X-Amz-SignedHeaders"), "a client adds a range as it likes");
    assertEquals("text/html", query.get("response-content-type"));
    assertEquals(
        "attachment; filename*=UTF-8''a%20b.html", query.get("response-content-disposition"));
  }
}
