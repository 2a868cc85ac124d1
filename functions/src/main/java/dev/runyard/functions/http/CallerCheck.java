package dev.runyard.functions.http;

import dev.runyard.core.access.Authentication;
import dev.runyard.core.access.Scope;
import dev.runyard.core.problem.Problem;
import java.util.Optional;

/// Finds out who calls a route, and whether they may. What a route is open for is asked of nobody.
public record CallerCheck(Authentication authentication) {
  /// What came out.
  public sealed interface Result {
    record Admitted(Caller caller) implements Result {}

    record Refused(Problem problem) implements Result {}
  }

  /// Checks the caller of a route.
  ///
  /// @param scope what the route needs; empty if anybody may call
  public Result check(Optional<Scope> scope, Authentication.Shown shown) {
    if (scope.isEmpty()) {
      return new Result.Admitted(Caller.nobody());
    }
    return switch (authentication.of(shown)) {
      case Authentication.Result.Refused refused -> new Result.Refused(refused.problem());
      case Authentication.Result.Known known -> {
        Caller caller = new Caller(known.identity());
        yield caller
            .refusal(scope)
            .<Result>map(Result.Refused::new)
            .orElseGet(() -> new Result.Admitted(caller));
      }
    };
  }
}
