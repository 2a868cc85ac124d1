package dev.runyard.local.emulator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.aws.AwsClients;
import dev.runyard.aws.S3ArtifactStore;
import dev.runyard.aws.Settings;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.local.rights.AccessCheck;
import dev.runyard.testkit.contract.ArtifactStoreContract;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The S3 adapter meets its contract on the embedded server.
class EmbeddedBucketsTest extends ArtifactStoreContract {
  private static final byte[] CONTENT = {1, 2, 3};
  private final Path folder;
  private final List<EmbeddedBuckets> started = new ArrayList<>();

  EmbeddedBucketsTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @AfterEach
  void close() {
    started.forEach(EmbeddedBuckets::close);
  }

  @Override
  protected ArtifactStore artifactStore() {
    return store(start(false), "artifacts");
  }

  @Test
  void keepsObjectsForTheNextServerWhereItIsToldTo() {
    EmbeddedBuckets first = start(true);
    store(first, "artifacts").put("default/a", CONTENT);
    first.close();

    assertArrayEquals(CONTENT, store(start(true), "artifacts").get("default/a").orElseThrow());
  }

  @Test
  void forgetsObjectsWhereItIsNot() {
    EmbeddedBuckets first = start(false);
    store(first, "artifacts").put("default/a", CONTENT);
    first.close();

    assertEquals(Optional.empty(), store(start(false), "artifacts").get("default/a"));
  }

  @Test
  void keepsBucketsApart() {
    EmbeddedBuckets buckets = start(false);
    store(buckets, "artifacts").put("default/a", CONTENT);

    assertEquals(Optional.empty(), store(buckets, "others").get("default/a"));
  }

  @Test
  void givesNothingToAWebPage() throws Exception {
    EmbeddedBuckets buckets = start(false);
    store(buckets, "artifacts").put("default/a", CONTENT);
    URI object = buckets.endpoint().resolve("/artifacts/default/a");
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest unsigned = HttpRequest.newBuilder(object).build();
      HttpRequest foreign =
          HttpRequest.newBuilder(object)
              .header("Authorization", "any")
              .header("Origin", "http://example.org")
              .build();

      for (HttpRequest request : List.of(unsigned, foreign)) {
        assertEquals(
            403, client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode());
      }
    }
  }

  private EmbeddedBuckets start(boolean kept) {
    EmbeddedBuckets buckets =
        new EmbeddedBuckets(folder.resolve("objects"), kept, AccessCheck.NONE);
    started.add(buckets);
    return buckets;
  }

  private static ArtifactStore store(EmbeddedBuckets buckets, String bucket) {
    Settings settings =
        EmulatorSettings.of(Map.of(Settings.ENDPOINT_URL_S3, buckets.endpoint().toString()));
    return new S3ArtifactStore(new AwsClients(settings).s3(), bucket);
  }
}
