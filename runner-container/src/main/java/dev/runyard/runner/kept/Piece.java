package dev.runyard.runner.kept;

/// Where a piece of content lies.
///
/// @param hash SHA-256 of the content
/// @param pack index of the pack in the listing
/// @param offset in the pack, uncompressed
record Piece(PieceHash hash, int pack, int offset, int bytes) {
  /// Longer content is cut into pieces of this size, so that one changed place in a large file does
  /// not send all of it again.
  static final int PIECE_BYTES_MAX = 4 * 1024 * 1024;
}
