package dev.runyard.runner.upload;

import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import java.io.IOException;

/// Ends unpacking, with the failure it is for the run.
final class ArchiveRefused extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Failure failure;

  private ArchiveRefused(Failure failure) {
    super(failure.message());
    this.failure = failure;
  }

  Failure failure() {
    return failure;
  }

  /// What the client has to change.
  static ArchiveRefused because(String why) {
    return new ArchiveRefused(
        new Failure(
            Failure.UPLOAD_REFUSED,
            Category.CALLER,
            "The upload is not unpacked: %s.".formatted(why)));
  }

  static ArchiveRefused damaged() {
    return because("it is damaged, or no archive of the format that was named");
  }

  static ArchiveRefused tooLarge() {
    return new ArchiveRefused(
        new Failure(
            Failure.WORKSPACE_TOO_LARGE,
            Category.CALLER,
            "The upload unpacks to more bytes, files or bytes of paths than a workspace may have, or to"
                + " far more than it has itself. Leave files out."));
  }

  static ArchiveRefused notWritten() {
    return new ArchiveRefused(
        new Failure(
            Failure.UPLOAD_UNAVAILABLE,
            Category.CAPACITY,
            "The runner could not write the upload's files. Submit again."));
  }

  static ArchiveRefused stopped() {
    return new ArchiveRefused(
        new Failure(
            Failure.UPLOAD_UNAVAILABLE,
            Category.CAPACITY,
            "The runner stopped before the upload's files were there."));
  }
}
