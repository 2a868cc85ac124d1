package dev.runyard.runner.kept;

/// How large a kept folder may be.
///
/// @param bytesMax of all files together
/// @param entriesMax files, folders and links
public record FileBounds(long bytesMax, int entriesMax) {
  /// Most pieces of a folder within these bounds.
  int piecesMax() {
    return entriesMax + Math.toIntExact(bytesMax / Piece.PIECE_BYTES_MAX) + 1;
  }
}
