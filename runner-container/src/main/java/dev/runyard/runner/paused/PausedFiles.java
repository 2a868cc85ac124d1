package dev.runyard.runner.paused;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.runner.kept.FileBounds;
import dev.runyard.runner.kept.KeptFiles;
import dev.runyard.runner.kept.Listing;
import dev.runyard.runner.workspace.StoredFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Set;

/// The files of one run while it waits, as one attempt restores and keeps them. What an earlier
/// pause stored is not sent again. What a pause stores is removed once an attempt that continued
/// with it has ended.
public final class PausedFiles {
  /// Most bytes of all files of a workspace.
  static final long BYTES_MAX = 256L * 1024 * 1024;

  /// Most files, folders and links of a workspace.
  static final int ENTRIES_MAX = 50_000;

  private final KeptFiles files;
  private final RunKey run;
  private final String prefix;
  private volatile Listing restored = Listing.EMPTY;
  private volatile Listing kept = Listing.EMPTY;

  public PausedFiles(ArtifactStore store, InstantSource clock, RunKey run) {
    this.files = new KeptFiles(store, clock, new FileBounds(BYTES_MAX, ENTRIES_MAX));
    this.run = run;
    this.prefix = run.tenant() + "/workspaces/" + run.runId() + "/packs";
  }

  /// The run whose files they are.
  public RunKey run() {
    return run;
  }

  /// True when the workspace can be kept.
  public boolean fit(Path root) {
    return files.fits(root);
  }

  /// Stores the files of a workspace and writes what leads to them.
  ///
  /// @param stored what is stored of its files
  /// @throws IOException also for a workspace that is too large
  public void pack(Path root, OutputStream listing, StoredFiles stored) throws IOException {
    kept = files.keep(root, prefix, restored, stored);
    files.write(kept, listing);
  }

  /// Puts what was kept into an empty folder.
  ///
  /// @throws IOException if something of it is gone or unreadable
  public void unpack(InputStream listing, Path root) throws IOException {
    Listing read = files.read(listing);
    files.restore(read, prefix, root);
    restored = read;
  }

  /// The names of the restored files that are not as they were.
  public Set<String> altered() {
    return restored.altered();
  }

  /// Removes what this attempt continued with and did not keep again.
  public void forget() {
    try {
      files.remove(restored, prefix, kept);
    } catch (PortUnavailable _) {
      // The store's retention removes it.
    }
  }
}
