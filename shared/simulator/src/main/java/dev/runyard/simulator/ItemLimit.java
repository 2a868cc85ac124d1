package dev.runyard.simulator;

/// The size limit of a table's items.
final class ItemLimit {
  static final int ITEM_BYTES_MAX = 400 * 1024;

  /// Names, keys and numbers in addition to the body.
  private static final int REST_BYTES = 1024;

  private ItemLimit() {}

  /// The store refuses a larger item each time.
  static void check(int bodyBytes) {
    if (bodyBytes + REST_BYTES > ITEM_BYTES_MAX) {
      throw new IllegalArgumentException("an item of " + bodyBytes + " bytes is too large");
    }
  }
}
