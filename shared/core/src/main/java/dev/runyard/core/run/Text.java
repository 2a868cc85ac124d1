package dev.runyard.core.run;

import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Text that grows at its end, shared with every earlier state that held its beginning. It stops
/// growing at [Limits#TEXT_BYTES_MAX]: later text is left out.
public final class Text {
  public static final Text EMPTY = new Text(null, "", 0);

  private static final int CODE_POINT_BYTES_MAX = 4;

  private final @Nullable Text before;
  private final String piece;
  private final long bytes;

  private Text(@Nullable Text before, String piece, long bytes) {
    this.before = before;
    this.piece = piece;
    this.bytes = bytes;
  }

  public static Text of(String text) {
    return EMPTY.plus(text);
  }

  /// The text whose [#value()] was `value`. If it was cut, it takes no more, like the original.
  public static Text restored(String value) {
    boolean cut =
        value.endsWith(Bounds.TRUNCATED)
            && Bounds.bytes(value) > Limits.TEXT_BYTES_MAX - CODE_POINT_BYTES_MAX;
    return cut ? new Text(null, value, Limits.TEXT_BYTES_MAX + 1L) : of(value);
  }

  public Text plus(String more) {
    return more.isEmpty() || bytes > Limits.TEXT_BYTES_MAX
        ? this
        : new Text(this, more, bytes + Bounds.bytes(more));
  }

  public boolean isEmpty() {
    return bytes == 0;
  }

  /// The text, cut with the usual suffix when it is longer than the limit.
  public String value() {
    Deque<String> pieces = new ArrayDeque<>();
    for (Text at = this; at != null; at = at.before) {
      pieces.push(at.piece);
    }
    StringBuilder all = new StringBuilder();
    pieces.forEach(all::append);
    return Bounds.truncate(all.toString(), Limits.TEXT_BYTES_MAX);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Text that && value().equals(that.value());
  }

  @Override
  public int hashCode() {
    return value().hashCode();
  }

  @Override
  public String toString() {
    return value();
  }
}
