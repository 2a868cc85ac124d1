package dev.runyard.local.emulator;

import dev.runyard.aws.AwsClients;
import dev.runyard.aws.S3ArtifactStore;
import dev.runyard.aws.Settings;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.local.rights.AccessCheck;
import dev.runyard.testkit.threads.TestPatience;
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
            new Settings(
                Map.of(
                    Settings.REGION,
                    "us-east-1",
                    Settings.CALL_SECONDS,
                    Long.toString(TestPatience.LONG_SECONDS),
                    Settings.ENDPOINT_URL_S3,
                    buckets.endpoint().toString(),
                    Settings.ACCESS_KEY_ID,
                    "local",
                    Settings.SECRET_ACCESS_KEY,
                    "local")));
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
