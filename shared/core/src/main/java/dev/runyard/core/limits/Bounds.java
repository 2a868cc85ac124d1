package dev.runyard.core.limits;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Deterministic bounds on text, counted in bytes of UTF-8 and cut on code points (DR-0009). A lone
/// surrogate counts as the three bytes of U+FFFD, which is what it becomes.
public final class Bounds {
  public static final String TRUNCATED = "…(truncated)";
  public static final int MESSAGE_BYTES_MAX = 4096;
  public static final int CHANNEL_BYTES_MAX = 128;
  public static final int DATA_BYTES_MAX = 65_536;

  /// Levels of data; what is stored is read with twice as many.
  public static final int DATA_DEPTH_MAX = 100;

  private static final String ELLIPSIS = "…";
  private static final int CHAR_BYTES_MAX = 3;

  private Bounds() {}

  /// `text` with every lone surrogate replaced by U+FFFD, so that it has a UTF-8 form.
  public static String wellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return text.codePoints()
            .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xFFFD : c)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
      }
    }
    return text;
  }

  /// True when every surrogate of `text` has its partner.
  public static boolean isWellFormed(String text) {
    return wellFormed(text).equals(text);
  }

  public static int bytes(String text) {
    int total = 0;
    for (int i = 0; i < text.length(); ) {
      char first = text.charAt(i);
      if (first < 0x80) {
        total++;
        i++;
      } else {
        int c = text.codePointAt(i);
        total += width(c);
        i += Character.charCount(c);
      }
    }
    return total;
  }

  /// A short text fits whatever it says.
  private static boolean fits(String text, int bytesMax) {
    return text.length() <= bytesMax / CHAR_BYTES_MAX || bytes(text) <= bytesMax;
  }

  /// At most `bytesMax` bytes: the text itself, or its beginning followed by [#TRUNCATED]. Where
  /// the bound is too small for the suffix, as much of an ellipsis as fits.
  public static String truncate(String text, int bytesMax) {
    if (fits(text, bytesMax)) {
      return text;
    }
    int suffix = TRUNCATED.getBytes(StandardCharsets.UTF_8).length;
    return bytesMax <= suffix
        ? head(ELLIPSIS, bytesMax)
        : head(text, bytesMax - suffix) + TRUNCATED;
  }

  /// At most `bytesMax` bytes: the text itself, or its beginning and its end with [#TRUNCATED]
  /// between them. A command's output says at its beginning what it does, and at its end how it
  /// went.
  public static String ends(String text, int bytesMax) {
    if (fits(text, bytesMax)) {
      return text;
    }
    String between = "\n" + TRUNCATED + "\n";
    int room = bytesMax - bytes(between);
    if (room <= 0) {
      return truncate(text, bytesMax);
    }
    String head = head(text, room / 2);
    return head + between + suffix(text, room - bytes(head));
  }

  /// Pieces of at most `bytesMax` bytes that together are the text.
  public static List<String> split(String text, int bytesMax) {
    if (fits(text, bytesMax)) {
      return List.of(text);
    }
    List<String> pieces = new ArrayList<>();
    int from = 0;
    while (from < text.length()) {
      int to = end(text, from, bytesMax);
      if (to == from) {
        throw new IllegalArgumentException("a code point does not fit " + bytesMax + " bytes");
      }
      pieces.add(text.substring(from, to));
      from = to;
    }
    return List.copyOf(pieces);
  }

  /// The value, or a note that it was left out if its compact JSON is longer than `bytesMax`, or
  /// nested deeper than [#DATA_DEPTH_MAX].
  public static JsonNode data(JsonNode value, int bytesMax) {
    return data(value, bytesMax, DATA_DEPTH_MAX);
  }

  /// The same with another bound for its depth, in levels.
  public static JsonNode data(JsonNode value, int bytesMax, int depthMax) {
    return !deeper(value, depthMax) && bytes(value.toString()) <= bytesMax
        ? value
        : JsonNodeFactory.instance
            .objectNode()
            .set("dropped", JsonNodeFactory.instance.objectNode().put("reason", "oversize"));
  }

  private static boolean deeper(JsonNode value, int levels) {
    if (levels == 0) {
      return value.isContainerNode();
    }
    for (JsonNode member : value) {
      if (deeper(member, levels - 1)) {
        return true;
      }
    }
    return false;
  }

  /// The longest beginning of the text of at most `bytesMax` bytes.
  public static String head(String text, int bytesMax) {
    return text.substring(0, end(text, 0, bytesMax));
  }

  private static String suffix(String text, int bytesMax) {
    int room = bytesMax;
    int at = text.length();
    while (at > 0) {
      int c = text.codePointBefore(at);
      if (width(c) > room) {
        break;
      }
      room -= width(c);
      at -= Character.charCount(c);
    }
    return text.substring(at);
  }

  private static int end(String text, int from, int bytesMax) {
    int room = bytesMax;
    int at = from;
    while (at < text.length()) {
      int c = text.codePointAt(at);
      if (width(c) > room) {
        break;
      }
      room -= width(c);
      at += Character.charCount(c);
    }
    return at;
  }

  private static int width(int c) {
    return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  }
}
