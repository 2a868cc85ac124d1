package dev.runyard.core.upload;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The kinds of archive that an upload may be.
public enum UploadFormat {
  TAR_GZ("tar.gz"),
  TAR_ZST("tar.zst"),
  ZIP("zip");

  private final String wire;

  UploadFormat(String wire) {
    this.wire = wire;
  }

  /// The name in requests, and the end of ids.
  public String wire() {
    return wire;
  }

  public static Optional<UploadFormat> of(String wire) {
    return Arrays.stream(values()).filter(format -> format.wire.equals(wire)).findFirst();
  }

  /// All names.
  public static List<String> names() {
    return Arrays.stream(values()).map(UploadFormat::wire).toList();
  }
}
