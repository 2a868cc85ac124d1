package dev.runyard.bench.handler;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.runyard.core.access.AccessKey;
import dev.runyard.core.access.Authentication;
import dev.runyard.core.access.BearerAuthentication;
import dev.runyard.core.access.KeyCheck;
import dev.runyard.core.access.KeyText;
import dev.runyard.core.access.Scope;
import dev.runyard.core.memory.MemoryKeys;
import dev.runyard.functions.access.OidcIssuer;
import dev.runyard.functions.access.OidcTokens;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// What a request shows that is to be timed, and the function that checks it: a key that is
/// remembered, and a token whose issuer's keys are.
final class AccessChecks {
  private static final String ISSUER = "https://issuer.example";
  private static final int RSA_BITS = 2048;
  private static final int SECONDS = 3600;

  final Authentication authentication;
  final Authentication.Shown key;
  final Authentication.Shown rsaToken;
  final Authentication.Shown curveToken;

  AccessChecks() {
    InstantSource clock = InstantSource.system();
    MemoryKeys keys = new MemoryKeys();
    KeyText text = KeyText.drawn(new Random(7));
    AccessKey.Grant grant =
        new AccessKey.Grant("shop", Optional.empty(), EnumSet.allOf(Scope.class), Optional.empty());
    keys.add(AccessKey.made(text, "key_bench", grant, "bench", clock.instant()));
    try {
      var rsa = new RSAKeyGenerator(RSA_BITS).keyID("rsa").generate();
      var curve = new ECKeyGenerator(Curve.P_256).keyID("curve").generate();
      OidcIssuer issuer =
          new OidcIssuer(ISSUER, "runyard", Optional.empty(), "tenant", "scope", false);
      authentication =
          new BearerAuthentication(
              new KeyCheck(keys, clock, Runnable::run),
              Optional.of(
                  new OidcTokens(
                      issuer,
                      new ImmutableJWKSet<>(new JWKSet(List.of(rsa, curve))),
                      clock,
                      _ -> {})),
              false);
      key = bearer(text.secret());
      rsaToken = bearer(signed(new SignedJWT(header(JWSAlgorithm.RS256, rsa), claims()), rsa));
      curveToken =
          bearer(signed(new SignedJWT(header(JWSAlgorithm.ES256, curve), claims()), curve));
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String signed(SignedJWT jwt, JWK with) throws JOSEException {
    jwt.sign(
        jwt.getHeader().getAlgorithm().equals(JWSAlgorithm.ES256)
            ? new ECDSASigner(with.toECKey())
            : new RSASSASigner(with.toRSAKey()));
    return jwt.serialize();
  }

  private static JWSHeader header(JWSAlgorithm algorithm, JWK key) {
    return new JWSHeader.Builder(algorithm).keyID(key.getKeyID()).build();
  }

  private static JWTClaimsSet claims() {
    return new JWTClaimsSet.Builder()
        .issuer(ISSUER)
        .audience("runyard")
        .subject("bench")
        .expirationTime(Date.from(Instant.now().plusSeconds(SECONDS)))
        .claim("tenant", "shop")
        .claim("scope", "runs:read runs:write")
        .build();
  }

  private static Authentication.Shown bearer(String credential) {
    return new Authentication.Shown(Optional.of("Bearer " + credential), Optional.empty());
  }

  /// Whether it is known whose request that is.
  boolean knows(Authentication.Shown shown) {
    return authentication.of(shown) instanceof Authentication.Result.Known;
  }
}
