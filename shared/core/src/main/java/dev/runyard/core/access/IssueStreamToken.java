package dev.runyard.core.access;

import dev.runyard.core.ids.RunKey;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.random.RandomGenerator;

/// Makes stream tokens.
///
/// @param random a source that nobody can predict
public record IssueStreamToken(StreamTokens tokens, InstantSource clock, RandomGenerator random) {
  /// A token that was made.
  ///
  /// @param text to be shown once
  public record Issued(String text, Instant expires) {
    /// Never the text: it would end in a log.
    @Override
    public String toString() {
      return "a stream token";
    }
  }

  /// Makes a token for the events of a run.
  ///
  /// @param by who asks for it
  public Issued issue(RunKey run, Identity by) {
    String text = StreamToken.drawn(random);
    Instant expires =
        clock
            .instant()
            .plusSeconds(StreamToken.STREAM_TOKEN_SECONDS)
            .truncatedTo(ChronoUnit.MILLIS);
    tokens.add(
        new StreamToken(StreamToken.hash(text).orElseThrow(), run, by.actor(), by.key(), expires));
    return new Issued(text, expires);
  }
}
