package dev.runyard.core.access;

import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.util.EnumSet;
import java.util.Optional;

/// Requests that are signed with AWS credentials: the gateway has checked the signature and says
/// who signed.
public final class SignedAuthentication implements Authentication {
  private static final Result UNSIGNED =
      new Result.Refused(Problem.of(ProblemCode.UNAUTHENTICATED, "Sign the request."));
  private static final Result NO_TENANT =
      new Result.Refused(
          Problem.of(
              ProblemCode.NO_TENANT,
              "Your AWS principal belongs to no tenant of this stack. Ask its operator."));

  private final Optional<PrincipalTenants> tenants;

  /// @param tenants empty if all principals are of one tenant and may do everything
  public SignedAuthentication(Optional<PrincipalTenants> tenants) {
    this.tenants = tenants;
  }

  @Override
  public Result of(Shown shown) {
    return shown.principal().map(this::known).orElse(UNSIGNED);
  }

  private Result known(String principal) {
    return tenants
        .map(document -> document.of(principal).<Result>map(Result.Known::new).orElse(NO_TENANT))
        .orElseGet(() -> new Result.Known(alone(principal)));
  }

  private static Identity alone(String principal) {
    return principal.equals(Identity.Operator.NAME)
        ? new Identity.Operator()
        : new Identity.Principal(principal, Identity.TENANT_DEFAULT, EnumSet.allOf(Scope.class));
  }
}
