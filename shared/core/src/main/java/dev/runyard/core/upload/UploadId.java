package dev.runyard.core.upload;

import dev.runyard.core.limits.Limits;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What an upload is: which bytes, of which kind, and since when. Its text is the whole record of
/// the upload, so that nothing is stored beside the bytes, and whoever reads these can check them.
///
/// @param sha256 of the bytes, 64 hexadecimal digits in lower case
/// @param since begins its life: the start of an hour, so that the same bytes have the same id for
///   a while
public record UploadId(String sha256, UploadFormat format, Instant since) {
  private static final int HOUR_SECONDS = 3600;
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern TEXT = Pattern.compile("([0-9a-f]{64})-([1-9][0-9]{0,11})\\.(.+)");

  /// The id that the bytes have if they are named now.
  public static UploadId at(String sha256, UploadFormat format, Instant now) {
    long hours = now.getEpochSecond() / HOUR_SECONDS;
    return new UploadId(sha256, format, Instant.ofEpochSecond(hours * HOUR_SECONDS));
  }

  /// The id that a text is; empty if it is none.
  public static Optional<UploadId> parse(String text) {
    Matcher parts = TEXT.matcher(text);
    return parts.matches()
        ? UploadFormat.of(parts.group(3))
            .map(
                format ->
                    new UploadId(
                        parts.group(1),
                        format,
                        Instant.ofEpochSecond(Long.parseLong(parts.group(2)))))
        : Optional.empty();
  }

  /// True for the form a hash has in requests.
  public static boolean isSha256(String text) {
    return SHA256.matcher(text).matches();
  }

  public String text() {
    return "%s-%d.%s".formatted(sha256, since.getEpochSecond(), format.wire());
  }

  /// From then on no new run may name it. Its bytes stay for as long as a run may wait.
  public Instant expires() {
    return since.plusSeconds(Limits.UPLOAD_SECONDS);
  }

  /// True for the same bytes as the same kind of archive.
  boolean names(String otherSha256, UploadFormat otherFormat) {
    return sha256.equals(otherSha256) && format == otherFormat;
  }

  /// Where the bytes of a tenant's upload are in the artifact store.
  public String key(String tenant) {
    return prefix(tenant) + text();
  }

  /// What the keys of a tenant's uploads begin with. They are apart from everything else of the
  /// tenant, because a bucket removes by prefix what has expired.
  public static String prefix(String tenant) {
    return "uploads/" + tenant + "/";
  }
}
