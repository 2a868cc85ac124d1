package dev.runyard.runner.change;

import dev.runyard.core.change.ChangeBounds;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/// The paths that differ from the base, and their contents in the form in which git takes them: as
/// bytes, so that no filter and no attribute is looked at.
final class NewTree {
  private final OwnGit git;
  private final Bounds bounds;
  private final Path blobs;
  private final OutputStream out;
  private final Map<String, OriginTree.Leaf> changed = new TreeMap<>();
  private final TreeSet<String> gone = new TreeSet<>();
  private long bytes;

  /// How much may differ.
  ///
  /// @param bytesMax of all contents that are new
  record Bounds(long bytesMax, int filesMax) {
    /// For a difference that somebody is told.
    static final Bounds OF_A_CHANGE =
        new Bounds(ChangeBounds.CONTENT_BYTES_MAX, ChangeBounds.CHANGED_FILES_MAX);

    /// For files that nobody is told of one by one.
    static final Bounds OF_A_STATE =
        new Bounds(ChangeBounds.ARCHIVE_CONTENT_BYTES_MAX, ChangeBounds.ENTRIES_MAX);
  }

  NewTree(OwnGit git, Bounds bounds) throws IOException {
    this.git = git;
    this.bounds = bounds;
    this.blobs = git.spare("blobs");
    this.out = Files.newOutputStream(blobs);
  }

  /// A path with new content.
  void put(String path, OriginTree.Leaf leaf, byte[] content) throws IOException {
    mode(path, leaf);
    bytes += content.length;
    if (fits()) {
      out.write(("blob\ndata " + content.length + "\n").getBytes(StandardCharsets.US_ASCII));
      out.write(content);
      out.write('\n');
    }
  }

  /// A path with content that the base has.
  void mode(String path, OriginTree.Leaf leaf) {
    changed.put(path, leaf);
  }

  /// A path that is not there any more.
  void gone(String path) {
    gone.add(path);
  }

  boolean isEmpty() {
    return changed.isEmpty() && gone.isEmpty();
  }

  /// What is there now, by its path.
  Map<String, OriginTree.Leaf> changed() {
    return changed;
  }

  List<String> gone() {
    return List.copyOf(gone);
  }

  /// True while git may write it.
  boolean fits() {
    return bytes <= bounds.bytesMax() && changed.size() + gone.size() <= bounds.filesMax();
  }

  /// True if git may compare it with the base, whose contents it reads for that too.
  boolean comparesTo(OriginTree base) {
    long before = 0;
    for (String path : gone) {
      before += Objects.requireNonNull(base.files().get(path)).bytes();
    }
    for (Map.Entry<String, OriginTree.Leaf> entry : changed.entrySet()) {
      OriginTree.Leaf leaf = base.files().get(entry.getKey());
      before += leaf == null || leaf.id().equals(entry.getValue().id()) ? 0 : leaf.bytes();
    }
    return bytes + before <= bounds.bytesMax();
  }

  /// Writes the tree; returns its id. The index must hold the base.
  String write() throws IOException, TakingFailed {
    out.close();
    git.run(
        blobs, Long.MAX_VALUE, "-c", "core.compression=0", "fast-import", "--quiet", "--depth=0");
    StringBuilder index = new StringBuilder();
    String nothing = "0".repeat(git.idDigits());
    gone.forEach(path -> index.append("0 ").append(nothing).append('\t').append(path).append('\0'));
    changed.forEach(
        (path, leaf) ->
            index
                .append(leaf.mode())
                .append(' ')
                .append(leaf.id())
                .append('\t')
                .append(path)
                .append('\0'));
    Path entries = git.spare("entries");
    Files.writeString(entries, index, StandardCharsets.UTF_8);
    git.run(entries, Long.MAX_VALUE, "update-index", "-z", "--index-info");
    return Files.readString(git.run("write-tree")).strip();
  }
}
