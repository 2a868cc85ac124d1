package dev.runyard.local.emulator;

import dev.runyard.aws.AwsClients;
import dev.runyard.aws.S3ArtifactStore;
import dev.runyard.aws.Settings;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.local.rights.AccessCheck;
import java.nio.file.Path;
import java.util.Map;

/// An embedded bucket, and clients that sign for it.
final class EmbeddedObjects implements AutoCloseable {
  static final String BUCKET = "artifacts";

  private final EmbeddedBuckets buckets;
  private final AwsClients clients;

  EmbeddedObjects(Path folder) {
    buckets = new EmbeddedBuckets(folder.resolve("objects"), false, AccessCheck.NONE);
    clients =
        new AwsClients(
            EmulatorSettings.of(Map.of(Settings.ENDPOINT_URL_S3, buckets.endpoint().toString())));
  }

  AwsClients clients() {
    return clients;
  }

  ArtifactStore store() {
    return new S3ArtifactStore(clients.s3(), BUCKET);
  }

  @Override
  public void close() {
    buckets.close();
  }
}
