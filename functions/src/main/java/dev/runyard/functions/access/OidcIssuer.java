package dev.runyard.functions.access;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.runyard.aws.Settings;
import dev.runyard.core.access.Identity;
import dev.runyard.core.access.Scope;
import dev.runyard.core.ids.RunKey;
import java.net.URI;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Who issues tokens, and what their claims mean here.
///
/// @param name the issuer, as in the claim `iss`
/// @param audience whom a token must be meant for
/// @param keys where its keys are; empty if it says so itself
/// @param tenantClaim names the tenant
/// @param scopesClaim names the scopes: a text with spaces between them, or a list
/// @param plainHere whether it may be on this machine, without TLS
public record OidcIssuer(
    String name,
    String audience,
    Optional<URI> keys,
    String tenantClaim,
    String scopesClaim,
    boolean plainHere) {
  private static final Pattern SUBJECT = Pattern.compile("[\\x21-\\x7E]{1,255}");
  private static final Set<String> HERE = Set.of("127.0.0.1", "[::1]", "localhost");

  public OidcIssuer {
    requireSafe(URI.create(name), plainHere);
    keys.ifPresent(address -> requireSafe(address, plainHere));
  }

  /// The issuer that the settings name, if they do.
  ///
  /// @throws RuntimeException when they are wrong
  public static Optional<OidcIssuer> of(Settings settings) {
    return settings
        .oidcIssuer()
        .map(
            name ->
                new OidcIssuer(
                    name,
                    settings.oidcAudience(),
                    settings.oidcKeysUrl().map(URI::create),
                    settings.oidcTenantClaim(),
                    settings.oidcScopesClaim(),
                    settings.oneMachine()));
  }

  /// Fails for an address that others could answer at.
  static void requireSafe(URI address, boolean plainHere) {
    boolean tls = "https".equalsIgnoreCase(address.getScheme()) && address.getHost() != null;
    boolean here =
        plainHere
            && "http".equalsIgnoreCase(address.getScheme())
            && HERE.contains(address.getHost());
    if (!tls && !here) {
      throw new IllegalStateException("an address of the issuer is not https");
    }
  }

  /// Whom verified claims mean; empty if they name no tenant, or a subject that no event could
  /// name. Scopes of others in the same claim are passed over.
  Optional<Identity> identity(JWTClaimsSet claims) {
    String subject = claims.getSubject();
    return subject != null
            && SUBJECT.matcher(subject).matches()
            && claims.getClaim(tenantClaim) instanceof String tenant
            && RunKey.isTenant(tenant)
        ? Optional.of(new Identity.TokenHolder(subject, tenant, scopes(claims)))
        : Optional.empty();
  }

  private Set<Scope> scopes(JWTClaimsSet claims) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    switch (claims.getClaim(scopesClaim)) {
      case String text ->
          Arrays.stream(text.split(" ", -1)).forEach(name -> Scope.of(name).ifPresent(scopes::add));
      case Collection<?> list ->
          list.forEach(name -> Scope.of(String.valueOf(name)).ifPresent(scopes::add));
      case null, default -> {}
    }
    return scopes;
  }
}
