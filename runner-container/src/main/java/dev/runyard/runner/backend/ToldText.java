package dev.runyard.runner.backend;

import dev.runyard.runner.process.LineReader;

/// A text as far as its pieces were reported, to know it again when an agent repeats it whole. Not
/// thread-safe.
public final class ToldText {
  /// A longer text is not kept: no line can repeat it.
  static final int TOLD_CHARS_MAX = LineReader.LINE_BYTES_MAX;

  private StringBuilder told = new StringBuilder();
  private boolean tooLong;

  /// True if nothing was reported.
  public boolean isEmpty() {
    return told.isEmpty() && !tooLong;
  }

  /// Characters that are kept.
  public int chars() {
    return told.length();
  }

  /// Adds the next piece.
  public void add(String piece) {
    if (tooLong || piece.length() > TOLD_CHARS_MAX - told.length()) {
      clear();
      tooLong = true;
    } else {
      told.append(piece);
    }
  }

  /// True if the whole text begins with what was reported.
  public boolean begins(String whole) {
    return !tooLong && whole.startsWith(told.toString());
  }

  /// What was not reported of the whole text, which is all of it if it begins differently.
  public String rest(String whole) {
    return begins(whole) ? whole.substring(told.length()) : whole;
  }

  /// Takes a text off the beginning; false, and nothing is taken, if it is not there.
  public boolean drop(String beginning) {
    if (!told.toString().startsWith(beginning)) {
      return false;
    }
    told.delete(0, beginning.length());
    return true;
  }

  public void clear() {
    told = new StringBuilder();
    tooLong = false;
  }
}
