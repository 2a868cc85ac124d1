package dev.runyard.runner.isolation;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// What the operator wants of isolation: one level and no other, or the best that works.
///
/// @param required empty for the best that works
public record IsolationChoice(Optional<IsolationLevel> required) {
  /// The best that works.
  public static final IsolationChoice AUTO = new IsolationChoice(Optional.empty());

  private static final String AUTO_WORD = "auto";

  /// Every word [#of] takes.
  public static final List<String> WORDS = List.of(AUTO_WORD, "uid", "bubblewrap", "none");

  /// Reads a setting.
  public static IsolationChoice of(String word) {
    if (word.equals(AUTO_WORD)) {
      return AUTO;
    }
    return Arrays.stream(IsolationLevel.values())
        .filter(level -> level.wire().equals(word))
        .findFirst()
        .map(level -> new IsolationChoice(Optional.of(level)))
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "isolation is one of " + String.join(", ", WORDS) + ", not " + word));
  }
}
