package dev.runyard.core.submit;

import java.util.regex.Pattern;

/// Which directories of its workspace a run may begin in: a relative path of plain names, so that
/// it means the same place inside the workspace to every reader.
final class WorkingDirs {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@+][A-Za-z0-9._@+-]*");

  private WorkingDirs() {}

  static boolean isAllowed(String path) {
    for (String name : path.split("/", -1)) {
      if (!NAME.matcher(name).matches() || name.endsWith(".")) {
        return false;
      }
    }
    return true;
  }
}
