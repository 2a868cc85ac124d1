package dev.runyard.runner.kept;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// What a folder contained, and where its contents lie.
///
/// @param entries folders before what is in them
/// @param pieces of all files, each once
/// @param packs that hold the pieces
public record Listing(List<FileEntry> entries, List<Piece> pieces, List<Pack> packs) {
  /// Of nothing.
  public static final Listing EMPTY = new Listing(List.of(), List.of(), List.of());

  public Listing {
    entries = List.copyOf(entries);
    pieces = List.copyOf(pieces);
    packs = List.copyOf(packs);
  }

  /// A stored object with pieces.
  ///
  /// @param id its name: the SHA-256 of what is stored, so that putting it twice changes nothing
  /// @param writtenMillis when it was stored, in milliseconds since 1970
  /// @param bytes uncompressed
  record Pack(PieceHash id, long writtenMillis, int bytes) {}

  /// How many files there were.
  public long files() {
    return entries.stream().filter(FileEntry.RegularFile.class::isInstance).count();
  }

  /// Bytes of all of them.
  public long filesBytes() {
    return entries.stream()
        .mapToLong(
            entry ->
                switch (entry) {
                  case FileEntry.RegularFile file -> file.bytes();
                  case FileEntry.Folder _, FileEntry.Link _, FileEntry.Missing _ -> 0;
                })
        .sum();
  }

  /// The names of what is not kept as it was.
  public Set<String> altered() {
    return entries.stream()
        .filter(Listing::isAltered)
        .map(FileEntry::name)
        .collect(Collectors.toSet());
  }

  private static boolean isAltered(FileEntry entry) {
    return switch (entry) {
      case FileEntry.RegularFile file -> file.altered();
      case FileEntry.Missing _ -> true;
      case FileEntry.Folder _, FileEntry.Link _ -> false;
    };
  }

  /// Bytes of all files, those of equal content counted once.
  long bytes() {
    return pieces.stream().mapToLong(Piece::bytes).sum();
  }

  /// Bytes of all packs, with what no file uses any more.
  long packed() {
    return packs.stream().mapToLong(Pack::bytes).sum();
  }

  /// The pieces of packs that were stored since that time.
  Map<PieceHash, Piece> since(long millis) {
    Map<PieceHash, Piece> known = new HashMap<>();
    for (Piece piece : pieces) {
      if (packs.get(piece.pack()).writtenMillis() >= millis) {
        known.put(piece.hash(), piece);
      }
    }
    return known;
  }
}
