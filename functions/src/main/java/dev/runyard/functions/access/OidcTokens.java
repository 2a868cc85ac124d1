package dev.runyard.functions.access;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.runyard.aws.Settings;
import dev.runyard.core.access.Identity;
import dev.runyard.core.access.TokenCheck;
import dev.runyard.core.problem.PortUnavailable;
import java.text.ParseException;
import java.time.InstantSource;
import java.util.Date;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// JSON Web Tokens of one OpenID Connect issuer. The algorithms are fixed, whatever a token says:
/// each verifies with a public key. The issuer's keys are kept, asked for again after a while and
/// for a key that is not among them, and used for longer where the issuer does not answer.
public final class OidcTokens implements TokenCheck {
  /// Longest token that is read.
  public static final int TOKEN_CHARS_MAX = 8 * 1024;

  /// How far the issuer's clock may be from this one.
  public static final int SKEW_SECONDS = 60;

  private static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(JWSAlgorithm.RS256, JWSAlgorithm.PS256, JWSAlgorithm.ES256);
  private static final JOSEObjectType ACCESS_TOKEN = new JOSEObjectType("at+jwt");

  private final OidcIssuer issuer;
  private final DefaultJWTProcessor<SecurityContext> processor;
  private final Consumer<String> refusals;

  /// @param keys where the issuer's keys come from
  /// @param refusals gets why a token is refused, in one word
  public OidcTokens(
      OidcIssuer issuer,
      JWKSource<SecurityContext> keys,
      InstantSource clock,
      Consumer<String> refusals) {
    this.issuer = issuer;
    this.refusals = refusals;
    this.processor = processor(issuer, keys, clock);
  }

  /// The tokens that the settings want, if they name an issuer.
  ///
  /// @throws RuntimeException when the settings are wrong
  public static Optional<TokenCheck> of(
      Settings settings, InstantSource clock, Consumer<String> refusals) {
    return OidcIssuer.of(settings)
        .map(
            issuer ->
                new OidcTokens(
                    issuer,
                    new KeptIssuerKeys(new IssuerKeys(issuer)::read, clock),
                    clock,
                    refusals));
  }

  private static DefaultJWTProcessor<SecurityContext> processor(
      OidcIssuer issuer, JWKSource<SecurityContext> keys, InstantSource clock) {
    DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
    processor.setJWSTypeVerifier(
        new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, ACCESS_TOKEN, null));
    processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, keys));
    DefaultJWTClaimsVerifier<SecurityContext> claims =
        new DefaultJWTClaimsVerifier<>(
            issuer.audience(),
            new JWTClaimsSet.Builder().issuer(issuer.name()).build(),
            Set.of("sub", "exp")) {
          @Override
          protected Date currentTime() {
            return Date.from(clock.instant());
          }
        };
    claims.setMaxClockSkew(SKEW_SECONDS);
    processor.setJWTClaimsSetVerifier(claims);
    return processor;
  }

  @Override
  public Optional<Identity> identity(String token) {
    if (token.length() > TOKEN_CHARS_MAX) {
      return refused("length");
    }
    try {
      SignedJWT jwt = SignedJWT.parse(token);
      if (!ALGORITHMS.contains(jwt.getHeader().getAlgorithm())) {
        return refused("algorithm");
      }
      // Before any key is asked for.
      if (!issuer.name().equals(jwt.getJWTClaimsSet().getIssuer())) {
        return refused("issuer");
      }
      JWTClaimsSet claims = processor.process(jwt, null);
      Optional<Identity> identity = issuer.identity(claims);
      return identity.isEmpty() ? refused("claims") : identity;
    } catch (ParseException _) {
      return refused("form");
    } catch (BadJOSEException e) {
      return refused(e.getClass().getSimpleName());
    } catch (KeySourceException e) {
      throw new PortUnavailable("the issuer's keys cannot be had", e);
    } catch (JOSEException _) {
      return refused("key");
    }
  }

  private Optional<Identity> refused(String why) {
    refusals.accept(why);
    return Optional.empty();
  }
}
