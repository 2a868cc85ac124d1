package dev.runyard.runner.checkout;

import java.nio.file.Path;
import java.util.Optional;

/// The ssh that git of the runner uses, which is OpenSSH's.
public final class SshProgram {
  public static final String NAME = "ssh";

  /// The argument by which it says its version.
  public static final String ASKED = "-V";

  private SshProgram() {}

  /// Finds it in the folders of a search path that are absolute.
  public static Optional<Path> find(String path) {
    return GitProgram.find(path, NAME);
  }
}
