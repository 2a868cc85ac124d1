package dev.runyard.aws;

import dev.runyard.core.artifact.ArtifactStore;
import java.util.Optional;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;

/// Objects of an S3 bucket. S3 reads are consistent with the writes before them.
public final class S3ArtifactStore implements ArtifactStore {
  private final S3Client s3;
  private final String bucket;

  public S3ArtifactStore(S3Client s3, String bucket) {
    this.s3 = s3;
    this.bucket = bucket;
  }

  @Override
  public void put(String key, byte[] content) {
    String checked = ArtifactStore.checked(key);
    ServiceCall.answer(
        "put artifact",
        () -> s3.putObject(put -> put.bucket(bucket).key(checked), RequestBody.fromBytes(content)));
  }

  @Override
  public Optional<byte[]> get(String key) {
    String checked = ArtifactStore.checked(key);
    return ServiceCall.answer(
        "get artifact",
        () -> {
          try {
            return Optional.of(
                s3.getObjectAsBytes(get -> get.bucket(bucket).key(checked)).asByteArrayUnsafe());
          } catch (NoSuchKeyException _) {
            return Optional.empty();
          }
        });
  }

  @Override
  public void delete(String key) {
    String checked = ArtifactStore.checked(key);
    ServiceCall.answer(
        "delete artifact", () -> s3.deleteObject(delete -> delete.bucket(bucket).key(checked)));
  }
}
