package dev.runyard.local.emulator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.aws.AwsClients;
import dev.runyard.aws.S3ArtifactStore;
import dev.runyard.aws.S3LargeObjects;
import dev.runyard.aws.Settings;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.LargeObjects;
import dev.runyard.local.rights.AccessCheck;
import dev.runyard.testkit.contract.LargeObjectsContract;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The S3 adapter meets its contract on the embedded server, with addresses that the SDK signs.
class EmbeddedBucketsLargeTest extends LargeObjectsContract {
  private final EmbeddedBuckets buckets;
  private final AwsClients clients;

  EmbeddedBucketsLargeTest(@TempDir Path folder) {
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
  protected LargeObjects objects() {
    return new S3LargeObjects(
        clients.s3(), clients.s3Large(), clients::presigner, "artifacts", InstantSource.system());
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
  protected Got get(String address, String range) throws Exception {
    HttpRequest.Builder get = HttpRequest.newBuilder(URI.create(address));
    if (!range.isEmpty()) {
      get.header("Range", range);
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<byte[]> answer =
          client.send(get.build(), HttpResponse.BodyHandlers.ofByteArray());
      return answer.statusCode() / 100 != 2
          ? Got.NOTHING
          : new Got(
              Optional.of(answer.body()),
              answer.headers().firstValue("Content-Type").orElse(""),
              answer.headers().firstValue("Content-Disposition").orElse(""));
    }
  }

  @Test
  void anAddressIsForAGetOnly() throws Exception {
    String address =
        objects()
            .address(
                "acme/runs/r/changes/a/x",
                new LargeObjects.Label("x", "text/plain"),
                now().plusSeconds(60));
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest put =
          HttpRequest.newBuilder(URI.create(address))
              .PUT(HttpRequest.BodyPublishers.ofString("mine"))
              .build();
      assertEquals(403, client.send(put, HttpResponse.BodyHandlers.discarding()).statusCode());
    }
  }
}
