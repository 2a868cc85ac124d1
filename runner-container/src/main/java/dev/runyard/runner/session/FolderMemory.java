package dev.runyard.runner.session;

import dev.runyard.core.artifact.SessionSnapshots;
import dev.runyard.runner.workspace.StoredFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// What an agent remembers as files in its home.
///
/// @param kept folders and files that hold it, below the home
/// @param stored what is stored of them
public record FolderMemory(Path home, List<Path> kept, StoredFiles stored)
    implements SessionSnapshots.Memory {
  private static final long STATE_BYTES_MAX = 512L * 1024 * 1024;

  /// Files that are stored as they are.
  public FolderMemory(Path home, List<Path> kept) {
    this(home, kept, StoredFiles.AS_THEY_ARE);
  }

  public FolderMemory {
    kept = List.copyOf(kept);
  }

  @Override
  public byte[] pack(int bytesMax) throws IOException {
    return FolderArchive.pack(home.toRealPath(), kept, bytesMax, stored);
  }

  @Override
  public void unpack(byte[] archive) throws IOException {
    FolderArchive.unpack(archive, home.toRealPath(), STATE_BYTES_MAX);
  }

  /// True when it is small enough to be kept.
  public boolean fits() {
    try {
      return FolderArchive.fits(home.toRealPath(), kept, SessionSnapshots.ARCHIVE_BYTES_MAX);
    } catch (IOException _) {
      return false;
    }
  }
}
