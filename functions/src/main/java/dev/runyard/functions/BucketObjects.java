package dev.runyard.functions;

import dev.runyard.aws.AwsClients;
import dev.runyard.aws.S3ArtifactStore;
import dev.runyard.aws.S3LargeObjects;
import dev.runyard.aws.S3UploadPlaces;
import java.time.InstantSource;
import java.util.function.Supplier;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/// What functions keep in a bucket of S3, each made when a request first needs it: most need none.
final class BucketObjects {
  private BucketObjects() {}

  static FunctionPorts.Objects of(AwsClients clients, String bucket, InstantSource clock) {
    Supplier<S3Presigner> presigner = Once.of(clients::presigner);
    return new FunctionPorts.Objects(
        Once.of(() -> new S3ArtifactStore(clients.s3(), bucket)),
        Once.of(() -> new S3LargeObjects(clients.s3(), clients.s3(), presigner, bucket, clock)),
        Once.of(() -> new S3UploadPlaces(clients.s3(), presigner.get(), bucket, clock)));
  }
}
