package dev.runyard.runner.checkout;

/// What a process prints, up to a bound. Thread-safe.
final class PrintedText {
  private final int charsMax;
  private final StringBuilder text = new StringBuilder();

  PrintedText(int charsMax) {
    this.charsMax = charsMax;
  }

  synchronized void line(String line) {
    if (text.length() <= charsMax) {
      text.append(line).append('\n');
    }
  }

  /// True when it is more than may be kept.
  synchronized boolean tooMuch() {
    return text.length() > charsMax;
  }

  @Override
  public synchronized String toString() {
    return text.toString();
  }
}
