package dev.runyard.core.hook;

import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Names a hook: `<tenant>.<token>`. Whoever delivers has nothing else that could say whose hook it
/// is, so the id does; the token has at least 128 random bits and cannot be guessed.
public record HookId(String tenant, String token) {
  private static final Pattern FORM =
      Pattern.compile("([a-z0-9][a-z0-9_-]{0,62})\\.([A-Za-z0-9_-]{32,64})");

  public HookId {
    Objects.requireNonNull(tenant);
    Objects.requireNonNull(token);
  }

  /// The id that a text is; empty if it is none.
  public static Optional<HookId> parse(String text) {
    Matcher parts = FORM.matcher(text);
    return parts.matches()
        ? Optional.of(new HookId(parts.group(1), parts.group(2)))
        : Optional.empty();
  }

  public String text() {
    return tenant + "." + token;
  }

  /// The name under which the hook submits runs.
  public String actor() {
    return "hook:" + text();
  }
}
