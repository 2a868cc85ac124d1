package dev.runyard.local.emulator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.aws.S3LargeObjects;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.LargeObjects;
import dev.runyard.testkit.contract.LargeObjectsContract;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The S3 adapter meets its contract on the embedded server, with addresses that the SDK signs.
class EmbeddedBucketsLargeTest extends LargeObjectsContract {
  private final EmbeddedObjects bucket;

  EmbeddedBucketsLargeTest(@TempDir Path folder) {
    bucket = new EmbeddedObjects(folder);
  }

  @AfterEach
  void close() {
    bucket.close();
  }

  @Override
  protected LargeObjects objects() {
    return new S3LargeObjects(
        bucket.clients().s3(),
        bucket.clients().s3Large(),
        bucket.clients()::presigner,
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
