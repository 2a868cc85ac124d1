package dev.runyard.core.access;

import dev.runyard.core.ids.Digest;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/// The text of a key, which its holder shows: `ry_`, 30 random characters, and 6 that follow from
/// the rest. So a scanner of repositories finds such a text and knows it from any other, and one
/// that was mistyped or invented is never looked up. The text is a secret, and is kept nowhere.
public final class KeyText {
  /// What a text looks like, for those who search for secrets.
  public static final Pattern FORM = Pattern.compile("ry_[0-9A-Za-z]{36}");

  /// What every text begins with.
  public static final String PREFIX = "ry_";

  private static final int RANDOM_CHARS = 30;
  private static final int CHECK_CHARS = 6;
  private static final String DIGITS =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  private final String text;

  private KeyText(String text) {
    this.text = text;
  }

  /// A new text.
  ///
  /// @param random a source that nobody can predict
  public static KeyText drawn(RandomGenerator random) {
    StringBuilder text = new StringBuilder(PREFIX);
    for (int i = 0; i < RANDOM_CHARS; i++) {
      text.append(DIGITS.charAt(random.nextInt(DIGITS.length())));
    }
    return new KeyText(text + check(text.toString()));
  }

  /// The text that was shown; empty if it is none.
  public static Optional<KeyText> shown(String text) {
    int body = text.length() - CHECK_CHARS;
    return FORM.matcher(text).matches()
            && check(text.substring(0, body)).equals(text.substring(body))
        ? Optional.of(new KeyText(text))
        : Optional.empty();
  }

  /// The text itself, to be shown to its holder once.
  public String secret() {
    return text;
  }

  /// What is kept of it: SHA-256, 64 hexadecimal digits. The text has too much chance in it to be
  /// found by trying, so nothing slower is needed.
  public String hash() {
    return Digest.hex(text);
  }

  /// Never the text: it would end in a log.
  @Override
  public String toString() {
    return "a key";
  }

  private static String check(String body) {
    CRC32 sum = new CRC32();
    sum.update(body.getBytes(StandardCharsets.US_ASCII));
    StringBuilder check = new StringBuilder();
    long rest = sum.getValue();
    for (int i = 0; i < CHECK_CHARS; i++) {
      check.append(DIGITS.charAt((int) (rest % DIGITS.length())));
      rest /= DIGITS.length();
    }
    return check.reverse().toString();
  }
}
