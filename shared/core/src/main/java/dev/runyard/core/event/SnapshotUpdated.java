package dev.runyard.core.event;

import org.jspecify.annotations.Nullable;

/// What the attempt left in its workspace is stored. `changes` is the list of it, `patch` and
/// `workspace` are there if they are stored; what a reference names is read by the API.
///
/// @param baseCommit the commit that the patch applies on
/// @param files how many differ from it
/// @param artifacts how many are stored, and their bytes
/// @param leftOut how many files are in none of this, which the list names with the reasons
@EventType("snapshot.updated")
public record SnapshotUpdated(
    String baseCommit,
    long files,
    long linesAdded,
    long linesRemoved,
    Reference changes,
    @Nullable Reference patch,
    @Nullable Reference workspace,
    long artifacts,
    long artifactsBytes,
    long leftOut)
    implements ChangeNotice {
  /// A stored object.
  ///
  /// @param sha256 in hexadecimal
  public record Reference(long bytes, String sha256) {}
}
