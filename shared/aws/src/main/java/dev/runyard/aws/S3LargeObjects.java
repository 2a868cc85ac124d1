package dev.runyard.aws;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.Attachment;
import dev.runyard.core.artifact.LargeObjects;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.function.Supplier;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/// Large objects of an S3 bucket. S3 compares the hash of what is put. An address is signed by
/// whoever makes it, has that one's rights, and ends with its credentials if these end earlier.
public final class S3LargeObjects implements LargeObjects {
  /// S3 signs for whole seconds, and for one at least.
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private final S3Client s3;
  private final S3Client transfers;
  private final Supplier<S3Presigner> presigner;
  private final String bucket;
  private final InstantSource clock;

  /// @param transfers for puts, which may take long
  /// @param presigner asked for when an address is
  public S3LargeObjects(
      S3Client s3,
      S3Client transfers,
      Supplier<S3Presigner> presigner,
      String bucket,
      InstantSource clock) {
    this.s3 = s3;
    this.transfers = transfers;
    this.presigner = presigner;
    this.bucket = bucket;
    this.clock = clock;
  }

  @Override
  public void put(String key, Content content) throws IOException {
    String checked = ArtifactStore.checked(key);
    try {
      ServiceCall.answer(
          "put large object",
          () ->
              transfers.putObject(
                  put ->
                      put.bucket(bucket)
                          .key(checked)
                          .contentLength(content.bytes())
                          .checksumAlgorithm(ChecksumAlgorithm.SHA256)
                          .checksumSHA256(base64(content.sha256())),
                  RequestBody.fromContentProvider(
                      () -> opened(content), content.bytes(), "application/octet-stream")));
    } catch (UncheckedIOException e) {
      throw new IOException("what is to be put cannot be read", e);
    }
  }

  private static java.io.InputStream opened(Content content) {
    try {
      return content.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String base64(String hex) {
    return Base64.getEncoder().encodeToString(HexFormat.of().parseHex(hex));
  }

  @Override
  public boolean holds(String key) {
    String checked = ArtifactStore.checked(key);
    return ServiceCall.answer(
        "find large object",
        () -> {
          try {
            s3.headObject(head -> head.bucket(bucket).key(checked));
            return true;
          } catch (NoSuchKeyException _) {
            return false;
          }
        });
  }

  @Override
  public String address(String key, Label label, Instant until) {
    String checked = ArtifactStore.checked(key);
    Duration open = Duration.between(clock.instant(), until);
    return presigner
        .get()
        .presignGetObject(
            presign ->
                presign
                    .signatureDuration(open.compareTo(SHORTEST) < 0 ? SHORTEST : open)
                    .getObjectRequest(
                        get ->
                            get.bucket(bucket)
                                .key(checked)
                                .responseContentType(label.contentType())
                                .responseContentDisposition(Attachment.named(label.name()))
                                .responseCacheControl("no-store")))
        .url()
        .toString();
  }
}
