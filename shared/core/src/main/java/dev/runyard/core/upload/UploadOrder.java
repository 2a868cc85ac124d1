package dev.runyard.core.upload;

import dev.runyard.core.json.JsonBody;
import dev.runyard.core.json.JsonFields;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Problem;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// What a client wants to upload.
///
/// @param sha256 of these bytes, in lower case
public record UploadOrder(long bytes, String sha256, UploadFormat format) {
  private static final String BYTES = "size_bytes";
  private static final String SHA256 = "sha256";
  private static final String FORMAT = "format";

  /// What the body turned out to be.
  public sealed interface Result {
    record Accepted(UploadOrder order) implements Result {}

    record Rejected(Problem problem) implements Result {}
  }

  /// Reads `{"size_bytes", "sha256", "format"}`.
  public static Result read(byte[] body) {
    return switch (JsonBody.read(body)) {
      case JsonBody.Result.Rejected rejected -> new Result.Rejected(rejected.problem());
      case JsonBody.Result.Read read ->
          of(JsonFields.of(read.object(), Set.of(BYTES, SHA256, FORMAT)));
    };
  }

  private static Result of(JsonFields members) {
    OptionalLong bytes = members.optionalWhole(BYTES, 1, Limits.UPLOAD_BYTES_MAX);
    if (!members.has(BYTES)) {
      members.refuse(BYTES, BYTES + " is required");
    }
    String sha256 = members.requiredText(SHA256);
    if (!UploadId.isSha256(sha256)) {
      members.refuse(SHA256, "sha256 must be 64 hexadecimal digits in lower case");
    }
    Optional<UploadFormat> format = UploadFormat.of(members.requiredText(FORMAT));
    if (format.isEmpty()) {
      members.refuse(FORMAT, "format must be one of " + String.join(", ", UploadFormat.names()));
    }
    Optional<Problem> problem = members.problem();
    return problem.isPresent()
        ? new Result.Rejected(problem.get())
        : new Result.Accepted(new UploadOrder(bytes.orElseThrow(), sha256, format.orElseThrow()));
  }
}
