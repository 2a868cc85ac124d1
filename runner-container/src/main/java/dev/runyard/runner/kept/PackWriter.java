package dev.runyard.runner.kept;

import com.github.luben.zstd.Zstd;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;

/// Collects pieces, those that are there already left out, and stores the others in packs.
final class PackWriter {
  /// A pack is stored once it has this size, so that small files share an object. It is in memory
  /// as a whole while it is written or read.
  static final int PACK_BYTES = 8 * 1024 * 1024;

  static final int PACK_BYTES_MAX = PACK_BYTES + Piece.PIECE_BYTES_MAX;

  /// Cheap enough that storing waits for the network.
  private static final int LEVEL = 1;

  private final BiConsumer<String, byte[]> store;
  private final String prefix;
  private final long now;
  private final Map<PieceHash, Piece> known;
  private final List<Listing.Pack> before;
  private final IntConsumer sent;
  private final Map<Integer, Integer> kept = new HashMap<>();
  private final Map<PieceHash, Integer> indexes = new HashMap<>();
  private final List<Piece> pieces = new ArrayList<>();
  private final List<Listing.Pack> packs = new ArrayList<>();
  private final List<Integer> open = new ArrayList<>();
  private byte[] pack = new byte[PACK_BYTES / 8];
  private int filled;

  /// @param store stores a pack by its key
  /// @param known pieces that need not be stored again, in packs of `before`
  /// @param sent is told the bytes of each pack that was stored
  PackWriter(
      BiConsumer<String, byte[]> store,
      String prefix,
      long now,
      Map<PieceHash, Piece> known,
      List<Listing.Pack> before,
      IntConsumer sent) {
    this.store = store;
    this.prefix = prefix;
    this.now = now;
    this.known = known;
    this.before = before;
    this.sent = sent;
  }

  /// The index of the piece with this content.
  int add(byte[] content) {
    PieceHash hash = PieceHash.of(content);
    Integer there = indexes.get(hash);
    if (there != null) {
      return there;
    }
    int index = pieces.size();
    indexes.put(hash, index);
    Piece old = known.get(hash);
    if (old != null) {
      pieces.add(new Piece(hash, kept(old.pack()), old.offset(), old.bytes()));
      return index;
    }
    reserve(content.length);
    System.arraycopy(content, 0, pack, filled, content.length);
    open.add(index);
    pieces.add(new Piece(hash, -1, filled, content.length));
    filled += content.length;
    if (filled >= PACK_BYTES) {
      flush();
    }
    return index;
  }

  /// What was added, with all packs stored.
  Listing listing(List<FileEntry> entries) {
    if (filled > 0 || !open.isEmpty()) {
      flush();
    }
    return new Listing(entries, pieces, packs);
  }

  private int kept(int old) {
    return kept.computeIfAbsent(
        old,
        index -> {
          packs.add(before.get(index));
          return packs.size() - 1;
        });
  }

  private void reserve(int bytes) {
    if (filled + bytes > pack.length) {
      byte[] larger = new byte[Math.min(PACK_BYTES_MAX, Math.max(2 * pack.length, filled + bytes))];
      System.arraycopy(pack, 0, larger, 0, filled);
      pack = larger;
    }
  }

  private void flush() {
    byte[] whole = Arrays.copyOf(pack, filled);
    byte[] stored = Zstd.compress(whole, LEVEL);
    PieceHash id = PieceHash.of(stored);
    store.accept(key(prefix, id), stored);
    sent.accept(filled);
    packs.add(new Listing.Pack(id, now, filled));
    for (int index : open) {
      Piece piece = pieces.get(index);
      pieces.set(index, new Piece(piece.hash(), packs.size() - 1, piece.offset(), piece.bytes()));
    }
    open.clear();
    filled = 0;
  }

  static String key(String prefix, PieceHash id) {
    return prefix + "/" + HexFormat.of().formatHex(id.bytes());
  }
}
