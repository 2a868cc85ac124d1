package dev.runyard.core.access;

import dev.runyard.core.ids.Digest;
import dev.runyard.core.ids.RunKey;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/// What is kept of a stream token: the hash of its text and what it opens, which is the events of
/// one run for some minutes. A page shows it in an address, where nothing better can be put, and
/// addresses end in histories: so it opens little, and not for long.
///
/// @param run whose events may be read
/// @param actor who asked for it
/// @param key the hash of the key with which it was asked for, if it was one; with that it ends
public record StreamToken(
    String hash, RunKey run, String actor, Optional<String> key, Instant expires) {
  /// How long one is good for.
  public static final int STREAM_TOKEN_SECONDS = 900;

  /// What every text begins with, for those who search for secrets.
  public static final String PREFIX = "rys_";

  private static final int RANDOM_BYTES = 32;
  private static final Pattern FORM = Pattern.compile(PREFIX + "[0-9A-Za-z_-]{43}");

  /// A new text, to be shown once.
  ///
  /// @param random a source that nobody can predict
  public static String drawn(RandomGenerator random) {
    byte[] bytes = new byte[RANDOM_BYTES];
    random.nextBytes(bytes);
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /// What is kept of a text that was shown; empty if it cannot be one.
  public static Optional<String> hash(String text) {
    return FORM.matcher(text).matches() ? Optional.of(Digest.hex(text)) : Optional.empty();
  }

  /// Whether it opens a run at this time.
  public boolean opens(String runId, Instant now) {
    return run.runId().equals(runId) && now.isBefore(expires);
  }

  public Identity identity() {
    return new Identity.StreamReader(actor, run.tenant(), expires, key);
  }
}
