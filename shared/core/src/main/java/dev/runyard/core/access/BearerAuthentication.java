package dev.runyard.core.access;

import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.util.Locale;
import java.util.Optional;

/// Requests that show a Runyard key, or a token of the stack's issuer, as `Authorization: Bearer`.
/// Whatever is wrong with it, the answer is the same: who guesses learns nothing.
public final class BearerAuthentication implements Authentication {
  private static final String SCHEME = "bearer ";
  private static final Result REFUSED =
      new Result.Refused(
          Problem.of(
              ProblemCode.UNAUTHENTICATED, "Show a valid key or token, as Authorization: Bearer."));

  private final KeyCheck keys;
  private final Optional<TokenCheck> tokens;
  private final boolean operated;

  /// @param tokens empty if the stack has no issuer
  /// @param operated whether the gateway may say that its operator calls, as only that of a stack
  ///   on one machine does
  public BearerAuthentication(KeyCheck keys, Optional<TokenCheck> tokens, boolean operated) {
    this.keys = keys;
    this.tokens = tokens;
    this.operated = operated;
  }

  @Override
  public Result of(Shown shown) {
    if (operated && shown.principal().filter(Identity.Operator.NAME::equals).isPresent()) {
      return new Result.Known(new Identity.Operator());
    }
    return shown
        .authorization()
        .filter(header -> header.toLowerCase(Locale.ROOT).startsWith(SCHEME))
        .map(header -> header.substring(SCHEME.length()).strip())
        .flatMap(this::identity)
        .<Result>map(Result.Known::new)
        .orElse(REFUSED);
  }

  private Optional<Identity> identity(String credential) {
    return credential.startsWith(KeyText.PREFIX)
        ? KeyText.shown(credential).flatMap(keys::identity)
        : tokens.flatMap(check -> check.identity(credential));
  }
}
