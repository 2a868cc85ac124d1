package dev.runyard.runner.process;

/// One line of an agent's output, without its line end.
public sealed interface Line {

  /// A line that was kept.
  ///
  /// `replaced` says that bytes which are not UTF-8 were replaced by U+FFFD.
  record Text(String text, boolean replaced) implements Line {}

  /// A line longer than [LineReader#LINE_BYTES_MAX], of which only the beginning was kept.
  ///
  /// `preview` is at most [LineReader#PREVIEW_BYTES_MAX] bytes of it, cut between characters.
  record Oversize(String preview, long totalBytes) implements Line {}
}
