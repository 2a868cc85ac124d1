package dev.runyard.aws;

import dev.runyard.core.artifact.ArtifactStore;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;

/// Objects of an S3 bucket. S3 reads are consistent with the writes before them.
public final class S3ArtifactStore implements ArtifactStore {
  /// Larger objects are transfers.
  static final int SMALL_BYTES_MAX = 1024 * 1024;

  /// S3's answers to a put whose condition does not hold, or that lost to a concurrent one.
  private static final Set<Integer> REFUSED = Set.of(409, 412);

  private final S3Client s3;
  private final S3Client transfers;
  private final String bucket;

  /// A store of small objects.
  public S3ArtifactStore(S3Client s3, String bucket) {
    this(s3, s3, bucket);
  }

  /// @param transfers for large puts, and for gets; [#find] and [#replace] are for small objects
  public S3ArtifactStore(S3Client s3, S3Client transfers, String bucket) {
    this.s3 = s3;
    this.transfers = transfers;
    this.bucket = bucket;
  }

  @Override
  public void put(String key, byte[] content) {
    String checked = ArtifactStore.checked(key);
    S3Client client = content.length > SMALL_BYTES_MAX ? transfers : s3;
    ServiceCall.answer(
        "put artifact",
        () ->
            client.putObject(
                put -> put.bucket(bucket).key(checked), RequestBody.fromBytes(content)));
  }

  @Override
  public Optional<byte[]> get(String key) {
    String checked = ArtifactStore.checked(key);
    return ServiceCall.answer(
        "get artifact",
        () -> {
          try {
            return Optional.of(
                transfers
                    .getObjectAsBytes(get -> get.bucket(bucket).key(checked))
                    .asByteArrayUnsafe());
          } catch (NoSuchKeyException _) {
            return Optional.empty();
          }
        });
  }

  @Override
  public Optional<Versioned> find(String key) {
    String checked = ArtifactStore.checked(key);
    return ServiceCall.answer(
        "find artifact",
        () -> {
          try {
            var found = s3.getObjectAsBytes(get -> get.bucket(bucket).key(checked));
            return Optional.of(new Versioned(found.asByteArrayUnsafe(), found.response().eTag()));
          } catch (NoSuchKeyException _) {
            return Optional.empty();
          }
        });
  }

  /// A refused put may be the second try of one that succeeded without an answer: the stored object
  /// shows it.
  @Override
  public boolean replace(String key, Optional<String> version, byte[] content) {
    String checked = ArtifactStore.checked(key);
    PutObjectRequest.Builder put = PutObjectRequest.builder().bucket(bucket).key(checked);
    version.ifPresentOrElse(put::ifMatch, () -> put.ifNoneMatch("*"));
    boolean replaced =
        ServiceCall.answer(
            "replace artifact",
            () -> {
              try {
                s3.putObject(put.build(), RequestBody.fromBytes(content));
                return true;
              } catch (NoSuchKeyException _) {
                return false;
              } catch (S3Exception e) {
                if (REFUSED.contains(e.statusCode())) {
                  return false;
                }
                throw e;
              }
            });
    return replaced
        || find(key).filter(found -> Arrays.equals(found.content(), content)).isPresent();
  }

  @Override
  public void delete(String key) {
    String checked = ArtifactStore.checked(key);
    ServiceCall.answer(
        "delete artifact", () -> s3.deleteObject(delete -> delete.bucket(bucket).key(checked)));
  }
}
