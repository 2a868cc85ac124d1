package dev.runyard.runner.kept;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.runner.files.FileFacts;
import dev.runyard.runner.files.FolderWalk;
import dev.runyard.runner.workspace.StoredFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.Predicate;

/// Folders in the artifact store, by their contents. Keeping a folder sends what its last listing
/// does not name; restoring it checks every piece against its SHA-256.
///
/// Contents lie in packs of a few MiB, so that thousands of small files are a few objects. A pack
/// is never changed. Once more of the packs is unused than used, or a pack becomes so old that the
/// store's retention would take it from under a listing, contents are stored anew.
public final class KeptFiles {
  /// A pack older than this is not named by a new listing.
  static final Duration PACK_AGE_MAX = Duration.ofDays(1);

  /// How long contents may be stored: later no pack is begun, and the contents are not kept.
  public static final int KEEPING_SECONDS_MAX = 300;

  private static final int BUFFER_BYTES = Piece.PIECE_BYTES_MAX;

  private final ArtifactStore store;
  private final InstantSource clock;
  private final FileBounds bounds;

  public KeptFiles(ArtifactStore store, InstantSource clock, FileBounds bounds) {
    this.store = store;
    this.clock = clock;
    this.bounds = bounds;
  }

  /// True if a folder is within the bounds and all of it can be read.
  public boolean fits(Path root) {
    if (!Compression.isLoaded()) {
      return false;
    }
    try {
      FileTree.walk(root, bounds, _ -> false, (_, _) -> {});
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /// What is stored, and for how long.
  ///
  /// @param of what is stored of each file
  /// @param left true for the name of an entry that is passed over with what is in it
  /// @param sent is told the bytes of each pack that was stored, whether all of them can be or not
  public record KeepingOrder(
      StoredFiles of, Predicate<String> left, Instant until, IntConsumer sent) {}

  /// Stores all of a folder's contents.
  ///
  /// @throws IOException if it is out of bounds, or cannot be read
  public Listing keep(Path root, String prefix, Listing last, StoredFiles stored)
      throws IOException {
    return keep(root, prefix, last, new KeepingOrder(stored, _ -> false, latest(), _ -> {}));
  }

  /// Until when what begins to be stored now may be.
  public Instant latest() {
    return clock.instant().plusSeconds(KEEPING_SECONDS_MAX);
  }

  /// Stores a folder's contents. A store that takes too long counts as one that does not answer.
  ///
  /// @param prefix where packs lie
  /// @param last what was kept there before
  /// @throws IOException if it is out of bounds, or cannot be read
  public Listing keep(Path root, String prefix, Listing last, KeepingOrder order)
      throws IOException {
    check();
    long oldest = clock.millis() - PACK_AGE_MAX.toMillis();
    Listing listing = listed(root, prefix, last.since(oldest), last.packs(), order);
    return listing.packed() > 2 * listing.bytes() + PackWriter.PACK_BYTES
        ? packedAgain(root, prefix, listing, order)
        : listing;
  }

  /// The same contents in new packs without what is of no use any more; the old ones do as well
  /// where the store does not take others.
  private Listing packedAgain(Path root, String prefix, Listing stored, KeepingOrder order)
      throws IOException {
    try {
      return listed(root, prefix, Map.of(), List.of(), order);
    } catch (PortUnavailable _) {
      return stored;
    }
  }

  private Listing listed(
      Path root,
      String prefix,
      Map<PieceHash, Piece> known,
      List<Listing.Pack> before,
      KeepingOrder order)
      throws IOException {
    PackWriter packs =
        new PackWriter(
            (key, pack) -> inTime(order, key, pack),
            prefix,
            clock.millis(),
            known,
            before,
            order.sent());
    List<FileEntry> entries = new ArrayList<>();
    byte[] buffer = new byte[BUFFER_BYTES];
    StoredFiles stored = order.of();
    FileTree.walk(
        root,
        bounds,
        order.left(),
        (name, entry) -> {
          if (stored.keeps(name)) {
            String target = target(entry);
            entries.add(
                stored.keeps(target)
                    ? entry(name, target, entry, packs, buffer, stored)
                    : new FileEntry.Missing(name));
          }
        });
    return packs.listing(entries);
  }

  private void inTime(KeepingOrder order, String key, byte[] pack) {
    if (!clock.instant().isBefore(order.until())) {
      throw new PortUnavailable("the store takes the files too slowly");
    }
    store.put(key, pack);
  }

  private static String target(FolderWalk.Entry entry) throws IOException {
    return isLink(entry.facts()) ? entry.target().toString() : "";
  }

  private static boolean isLink(FileFacts facts) {
    return facts.kind() == FileFacts.Kind.LINK;
  }

  private static FileEntry entry(
      String name,
      String target,
      FolderWalk.Entry entry,
      PackWriter packs,
      byte[] buffer,
      StoredFiles stored)
      throws IOException {
    FileFacts facts = entry.facts();
    if (isLink(facts)) {
      return new FileEntry.Link(name, target);
    }
    String permissions = facts.permissions();
    if (facts.isFolder()) {
      return new FileEntry.Folder(name, permissions);
    }
    List<Integer> pieces = new ArrayList<>();
    long bytes = 0;
    int changed = stored.changed();
    try (InputStream in = stored.content(entry.held().open())) {
      long left = facts.bytes();
      while (left > 0) {
        int n = in.readNBytes(buffer, 0, (int) Math.min(left, buffer.length));
        if (n == 0) {
          throw new IOException("a file is shorter than it was");
        }
        pieces.add(packs.add(Arrays.copyOf(buffer, n)));
        bytes += n;
        left -= n;
      }
    }
    return new FileEntry.RegularFile(
        name,
        permissions,
        facts.written().toMillis(),
        bytes,
        pieces,
        stored.changed() > changed || stored.altered(name));
  }

  /// Puts a kept folder into an empty one.
  ///
  /// @throws IOException if a pack is gone, or something is not what the listing says
  public void restore(Listing listing, String prefix, Path root) throws IOException {
    check();
    new Restoring(store, prefix, listing, root).restore();
  }

  /// Stores the packs of a listing that are older than [#PACK_AGE_MAX] once more, so that the store
  /// keeps them as long as what is new.
  public void refresh(Listing listing, String prefix) {
    long oldest = clock.millis() - PACK_AGE_MAX.toMillis();
    listing.packs().stream()
        .filter(pack -> pack.writtenMillis() < oldest)
        .map(pack -> PackWriter.key(prefix, pack.id()))
        .forEach(key -> store.get(key).ifPresent(content -> store.put(key, content)));
  }

  private static void check() throws IOException {
    if (!Compression.isLoaded()) {
      throw new IOException("nothing can be compressed here");
    }
  }

  /// Removes the packs of a listing, but for those that another names too.
  public void remove(Listing listing, String prefix, Listing other) {
    listing.packs().stream()
        .map(Listing.Pack::id)
        .filter(id -> other.packs().stream().noneMatch(pack -> pack.id().equals(id)))
        .forEach(id -> store.delete(PackWriter.key(prefix, id)));
  }

  /// Writes a listing and closes the stream.
  public void write(Listing listing, OutputStream target) throws IOException {
    ListingCodec.write(listing, target);
  }

  /// Reads a listing.
  ///
  /// @throws IOException if it is none, or out of bounds
  public Listing read(InputStream source) throws IOException {
    check();
    return ListingCodec.read(source, bounds);
  }
}
