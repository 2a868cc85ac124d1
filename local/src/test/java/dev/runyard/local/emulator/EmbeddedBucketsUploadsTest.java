package dev.runyard.local.emulator;

import dev.runyard.aws.S3UploadPlaces;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.upload.UploadPlaces;
import dev.runyard.testkit.contract.UploadPlacesContract;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/// The S3 adapter meets its contract on the embedded server, with addresses that the SDK signs.
class EmbeddedBucketsUploadsTest extends UploadPlacesContract {
  private final EmbeddedObjects bucket;

  EmbeddedBucketsUploadsTest(@TempDir Path folder) {
    bucket = new EmbeddedObjects(folder);
  }

  @AfterEach
  void close() {
    bucket.close();
  }

  @Override
  protected UploadPlaces places() {
    return new S3UploadPlaces(
        bucket.clients().s3(),
        bucket.clients().presigner(),
        EmbeddedObjects.BUCKET,
        InstantSource.system());
  }

  @Override
  protected ArtifactStore store() {
    return bucket.store();
  }

  @Override
  protected Instant now() {
    return Instant.now();
  }

  @Override
  protected boolean put(UploadPlaces.Place place, byte[] content) throws Exception {
    HttpRequest.Builder put =
        HttpRequest.newBuilder(URI.create(place.url()))
            .method(place.method(), HttpRequest.BodyPublishers.ofByteArray(content));
    place.headers().forEach(put::header);
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(put.build(), HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    }
  }
}
