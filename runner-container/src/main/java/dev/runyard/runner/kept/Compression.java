package dev.runyard.runner.kept;

import com.github.luben.zstd.util.Native;

/// The native library that kept files are compressed with. It is unpacked into the folder for
/// temporary files when it is first used, which takes some milliseconds and fails where that folder
/// cannot be written to or nothing in it may be executed. An agent's end must not be the first to
/// find that out.
public final class Compression {
  private static final boolean LOADED = load();

  private Compression() {}

  /// True if files can be kept here.
  public static boolean isLoaded() {
    return LOADED;
  }

  private static boolean load() {
    try {
      Native.load();
      return true;
    } catch (LinkageError _) {
      return false;
    }
  }
}
