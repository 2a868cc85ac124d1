package dev.runyard.local.emulator;

import dev.runyard.aws.AwsClients;
import dev.runyard.aws.S3ArtifactStore;
import dev.runyard.aws.S3UploadPlaces;
import dev.runyard.aws.Settings;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.upload.UploadPlaces;
import dev.runyard.local.rights.AccessCheck;
import dev.runyard.testkit.contract.UploadPlacesContract;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/// The S3 adapter meets its contract on the embedded server, with addresses that the SDK signs.
class EmbeddedBucketsUploadsTest extends UploadPlacesContract {
  private final EmbeddedBuckets buckets;
  private final AwsClients clients;

  EmbeddedBucketsUploadsTest(@TempDir Path folder) {
    buckets = new EmbeddedBuckets(folder.resolve("objects"), false, AccessCheck.NONE);
    clients =
        new AwsClients(
            new Settings(
                Map.of(
                    Settings.REGION,
                    "us-east-1",
                    Settings.ENDPOINT_URL_S3,
                    buckets.endpoint().toString(),
                    Settings.ACCESS_KEY_ID,
                    "local",
                    Settings.SECRET_ACCESS_KEY,
                    "local")));
  }

  @AfterEach
  void close() {
    buckets.close();
  }

  @Override
  protected UploadPlaces places() {
    return new S3UploadPlaces(
        clients.s3(), clients.presigner(), "artifacts", InstantSource.system());
  }

  @Override
  protected ArtifactStore store() {
    return new S3ArtifactStore(clients.s3(), "artifacts");
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
