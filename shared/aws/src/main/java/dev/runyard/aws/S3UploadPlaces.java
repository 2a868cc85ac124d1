package dev.runyard.aws;

import dev.runyard.core.upload.UploadId;
import dev.runyard.core.upload.UploadPlaces;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import software.amazon.awssdk.services.s3.presigner.model.PresignedPutObjectRequest;

/// Places in an S3 bucket. The address is signed with the length and the hash of the bytes, so S3
/// takes no others.
public final class S3UploadPlaces implements UploadPlaces {
  /// What a client's HTTP library sets by itself.
  private static final Set<String> IMPLIED = Set.of("host", "content-length");

  private final S3Client s3;
  private final S3Presigner presigner;
  private final String bucket;
  private final InstantSource clock;

  public S3UploadPlaces(S3Client s3, S3Presigner presigner, String bucket, InstantSource clock) {
    this.s3 = s3;
    this.presigner = presigner;
    this.bucket = bucket;
    this.clock = clock;
  }

  @Override
  public Place open(String tenant, UploadId id, long bytes, Instant until) {
    PresignedPutObjectRequest signed =
        presigner.presignPutObject(
            presign ->
                presign
                    .signatureDuration(Duration.between(clock.instant(), until))
                    .putObjectRequest(
                        put ->
                            put.bucket(bucket)
                                .key(id.key(tenant))
                                .contentLength(bytes)
                                .checksumAlgorithm(ChecksumAlgorithm.SHA256)
                                .checksumSHA256(base64(id.sha256()))));
    Map<String, String> headers = new TreeMap<>();
    signed
        .signedHeaders()
        .forEach(
            (name, values) -> {
              if (!IMPLIED.contains(name.toLowerCase(Locale.ROOT))) {
                headers.put(name, String.join(",", values));
              }
            });
    return new Place(signed.url().toString(), "PUT", headers, until);
  }

  private static String base64(String hex) {
    return Base64.getEncoder().encodeToString(HexFormat.of().parseHex(hex));
  }

  @Override
  public OptionalLong bytes(String tenant, UploadId id) {
    String key = id.key(tenant);
    return ServiceCall.answer(
        "find upload",
        () ->
            s3.listObjectsV2(list -> list.bucket(bucket).prefix(key).maxKeys(1)).contents().stream()
                .filter(object -> object.key().equals(key))
                .mapToLong(S3Object::size)
                .findFirst());
  }

  @Override
  public List<UploadId> list(String tenant) {
    String prefix = UploadId.prefix(tenant);
    return ServiceCall.answer(
        "list uploads",
        () ->
            s3
                .listObjectsV2Paginator(list -> list.bucket(bucket).prefix(prefix))
                .contents()
                .stream()
                .limit(LISTED_MAX)
                .map(S3Object::key)
                .flatMap(key -> UploadId.parse(key.substring(prefix.length())).stream())
                .toList());
  }
}
