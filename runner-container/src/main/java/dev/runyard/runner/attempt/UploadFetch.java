package dev.runyard.runner.attempt;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.upload.UploadId;
import dev.runyard.runner.upload.UploadedArchive;
import java.util.HexFormat;
import java.util.Optional;

/// Gets the archive that a run begins with. Whoever stored it: only the bytes that its id names are
/// used.
///
/// @param tenant of the run
record UploadFetch(ArtifactStore store, String tenant) {
  private static final Failure GONE =
      new Failure(
          Failure.UPLOAD_UNAVAILABLE,
          Category.CALLER,
          "The upload is no longer there. Upload again, then submit again.");

  private static final Failure AWAY =
      new Failure(
          Failure.UPLOAD_UNAVAILABLE,
          Category.CAPACITY,
          "The runner could not get the upload. Submit again.");

  private static final Failure OTHER =
      new Failure(
          Failure.UPLOAD_REFUSED,
          Category.CALLER,
          "The stored bytes are not those of the upload. Upload again, then submit again.");

  /// What the id names.
  record Fetched(UploadedArchive archive) {}

  Prepared<Fetched> get(String text) {
    Optional<UploadId> id = UploadId.parse(text);
    if (id.isEmpty()) {
      return new Prepared.Refused<>(GONE);
    }
    try {
      return store
          .get(id.get().key(tenant))
          .map(content -> checked(id.get(), content))
          .orElseGet(() -> new Prepared.Refused<>(GONE));
    } catch (PortUnavailable _) {
      return new Prepared.Refused<>(AWAY);
    }
  }

  private static Prepared<Fetched> checked(UploadId id, byte[] content) {
    return HexFormat.of().formatHex(Digest.of(content)).equals(id.sha256())
        ? new Prepared.Ready<>(new Fetched(new UploadedArchive(id.format(), content)))
        : new Prepared.Refused<>(OTHER);
  }
}
