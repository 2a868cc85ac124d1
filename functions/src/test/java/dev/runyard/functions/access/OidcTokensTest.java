package dev.runyard.functions.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import dev.runyard.core.access.Identity;
import dev.runyard.core.access.Scope;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.testkit.threads.TestPatience;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class OidcTokensTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration LONG = TestPatience.LONG;
  private static final Duration SHORT = Duration.ofMillis(300);
  private final SettableClock clock = new SettableClock(NOW);
  private final List<String> reasons = new ArrayList<>();
  private TestIssuer issuer;
  private RSAKey key;
  private OidcTokens tokens;

  @BeforeEach
  void open() throws JOSEException {
    issuer = new TestIssuer();
    key = issuer.rsa("one");
    tokens = tokens(issuer.known());
  }

  @AfterEach
  void close() {
    issuer.close();
  }

  @Test
  void knowsWhomATokenMeans() throws JOSEException {
    assertEquals(
        Optional.of(
            new Identity.TokenHolder(
                "alice", TestIssuer.TENANT, Set.of(Scope.RUNS_READ, Scope.RUNS_WRITE))),
        tokens.identity(token(_ -> {})));
    assertEquals("user:alice", tokens.identity(token(_ -> {})).orElseThrow().actor());
  }

  @Test
  void takesEachOfItsAlgorithmsAndNoOther() throws JOSEException {
    ECKey curve = issuer.ec("two");
    JWTClaimsSet good = issuer.claims(NOW, _ -> {});

    for (JWSAlgorithm algorithm : List.of(JWSAlgorithm.RS256, JWSAlgorithm.PS256)) {
      assertTrue(
          tokens.identity(TestIssuer.signed(key, algorithm, good)).isPresent(),
          algorithm.getName());
    }
    assertTrue(tokens.identity(TestIssuer.signed(curve, good)).isPresent());
    for (JWSAlgorithm algorithm : List.of(JWSAlgorithm.RS384, JWSAlgorithm.RS512)) {
      assertFalse(
          tokens.identity(TestIssuer.signed(key, algorithm, good)).isPresent(),
          algorithm.getName());
    }
  }

  @Test
  void takesScopesAsAList() throws JOSEException {
    String token = token(claims -> claims.claim("scope", List.of("agents:read", "email", 7)));

    assertEquals(Set.of(Scope.AGENTS_READ), tokens.identity(token).orElseThrow().scopes());
    assertEquals(
        Set.of(),
        tokens.identity(token(claims -> claims.claim("scope", null))).orElseThrow().scopes());
  }

  @Test
  void takesNoTokenThatIsNotSigned() {
    JWTClaimsSet good = issuer.claims(NOW, _ -> {});

    assertEquals(Optional.empty(), tokens.identity(new PlainJWT(good).serialize()));
    String header =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString("{\"alg\":\"none\"}".getBytes(StandardCharsets.UTF_8));
    assertEquals(
        Optional.empty(),
        tokens.identity(header + "." + new PlainJWT(good).serialize().split("\\.", -1)[1] + "."));
    assertEquals(0, issuer.asked.get(), "no key is asked for");
  }

  @Test
  void takesNoPublicKeyForASharedSecret() throws JOSEException {
    byte[] secret = key.toRSAPublicKey().getEncoded();

    String token =
        TestIssuer.signed(
            new MACSigner(secret), JWSAlgorithm.HS256, "one", issuer.claims(NOW, _ -> {}));

    assertEquals(Optional.empty(), tokens.identity(token));
  }

  @Test
  void takesNoSignatureOfAnotherKey() throws JOSEException {
    RSAKey forged = new RSAKey.Builder(TestIssuer.unoffered("invented")).keyID("one").build();

    assertEquals(
        Optional.empty(),
        tokens.identity(
            TestIssuer.signed(forged, JWSAlgorithm.RS256, issuer.claims(NOW, _ -> {}))));
  }

  @Test
  void takesNoClaimsThatWereChanged() throws JOSEException {
    String[] parts = token(_ -> {}).split("\\.", -1);
    String other = token(claims -> claims.claim("tenant", "other")).split("\\.", -1)[1];

    assertEquals(Optional.empty(), tokens.identity(parts[0] + "." + other + "." + parts[2]));
  }

  @Test
  void takesNoTokenForSomebodyElse() throws JOSEException {
    for (Consumer<JWTClaimsSet.Builder> wrong :
        List.<Consumer<JWTClaimsSet.Builder>>of(
            claims -> claims.audience("another"),
            claims -> claims.audience((String) null),
            claims -> claims.issuer("https://another.example"),
            claims -> claims.issuer(null),
            claims -> claims.subject(null),
            claims -> claims.subject("a b"),
            claims -> claims.subject("a".repeat(256)),
            claims -> claims.expirationTime(null),
            claims -> claims.claim("tenant", null),
            claims -> claims.claim("tenant", List.of("shop")),
            claims -> claims.claim("tenant", "Shop#run"))) {
      assertEquals(Optional.empty(), tokens.identity(token(wrong)), reasons.toString());
    }
    assertEquals(11, reasons.size());
  }

  @Test
  void allowsForClocksThatDifferALittle() throws JOSEException {
    Date late = Date.from(NOW.minusSeconds(OidcTokens.SKEW_SECONDS - 1));
    Date over = Date.from(NOW.minusSeconds(OidcTokens.SKEW_SECONDS + 1));
    Date early = Date.from(NOW.plusSeconds(OidcTokens.SKEW_SECONDS - 1));
    Date before = Date.from(NOW.plusSeconds(OidcTokens.SKEW_SECONDS + 1));

    assertTrue(tokens.identity(token(claims -> claims.expirationTime(late))).isPresent());
    assertFalse(tokens.identity(token(claims -> claims.expirationTime(over))).isPresent());
    assertTrue(tokens.identity(token(claims -> claims.notBeforeTime(early))).isPresent());
    assertFalse(tokens.identity(token(claims -> claims.notBeforeTime(before))).isPresent());
  }

  @Test
  void expiresByItsOwnClock() throws JOSEException {
    String token = token(_ -> {});
    assertTrue(tokens.identity(token).isPresent());

    clock.advance(Duration.ofSeconds(300 + OidcTokens.SKEW_SECONDS + 1));

    assertFalse(tokens.identity(token).isPresent());
  }

  @Test
  void refusesWhatIsNoToken() {
    for (String text :
        List.of("", ".", "..", "a.b.c", "token", "x".repeat(OidcTokens.TOKEN_CHARS_MAX + 1))) {
      assertEquals(Optional.empty(), tokens.identity(text));
    }
    assertEquals(0, issuer.asked.get());
  }

  @Test
  void asksForKeysOnceForAllTokens() throws JOSEException {
    for (int i = 0; i < 20; i++) {
      tokens.identity(token(_ -> {}));
    }

    assertEquals(1, issuer.asked.get());
  }

  @Test
  void knowsANewKeyOfItsIssuerAtOnce() throws JOSEException {
    tokens.identity(token(_ -> {}));
    issuer.withdrawAll();
    RSAKey next = issuer.rsa("next");

    assertTrue(
        tokens
            .identity(TestIssuer.signed(next, JWSAlgorithm.RS256, issuer.claims(NOW, _ -> {})))
            .isPresent());
    assertFalse(tokens.identity(token(_ -> {})).isPresent(), "the old key is withdrawn");
  }

  @Test
  void asksSeldomHoweverManyKeysAreInvented() throws JOSEException {
    tokens.identity(token(_ -> {}));
    RSAKey invented = TestIssuer.unoffered("invented");
    String forged = TestIssuer.signed(invented, JWSAlgorithm.RS256, issuer.claims(NOW, _ -> {}));

    for (int i = 0; i < 20; i++) {
      assertEquals(Optional.empty(), tokens.identity(forged));
    }
    assertEquals(2, issuer.asked.get());
    assertTrue(tokens.identity(token(_ -> {})).isPresent());

    clock.advance(KeptIssuerKeys.ASKED_TWICE_IN);
    assertEquals(Optional.empty(), tokens.identity(forged));
    assertEquals(Optional.empty(), tokens.identity(forged));
    assertEquals(4, issuer.asked.get());
  }

  @Test
  void goesOnWithKnownKeysWhileItsIssuerIsDead() throws JOSEException {
    tokens.identity(token(_ -> {}));
    RSAKey next = issuer.rsa("next");
    issuer.close();

    assertTrue(tokens.identity(token(_ -> {})).isPresent());
    String unknown = TestIssuer.signed(next, JWSAlgorithm.RS256, issuer.claims(NOW, _ -> {}));
    for (int i = 0; i < 3; i++) {
      assertThrows(PortUnavailable.class, () -> tokens.identity(unknown));
    }
  }

  @Test
  void usesKeysForLongerWhileItsIssuerIsDeadButNotForEver() throws JOSEException {
    assertTrue(tokens.identity(lasting()).isPresent());
    issuer.close();

    clock.advance(KeptIssuerKeys.KEPT_IN_OUTAGE.minusSeconds(1));
    assertTrue(tokens.identity(lasting()).isPresent());

    clock.advance(Duration.ofSeconds(1));
    assertThrows(PortUnavailable.class, () -> tokens.identity(lasting()));
  }

  @Test
  void asksForTheKeysAgainAfterAWhile() throws JOSEException {
    assertTrue(tokens.identity(lasting()).isPresent());
    issuer.withdrawAll();
    assertTrue(tokens.identity(lasting()).isPresent());

    clock.advance(KeptIssuerKeys.KEPT);
    assertFalse(tokens.identity(lasting()).isPresent());
  }

  private String lasting() throws JOSEException {
    return token(claims -> claims.expirationTime(Date.from(NOW.plusSeconds(86_400))));
  }

  @Test
  void saysThatItCannotKnowWhereItsIssuerNeverAnswered() throws JOSEException {
    String token = token(_ -> {});
    issuer.close();

    assertThrows(PortUnavailable.class, () -> tokens.identity(token));
    assertEquals(Optional.empty(), tokens.identity("not.a.token"));
  }

  @Test
  void boundsWhatItsIssuerAnswers() throws JOSEException {
    String token = token(_ -> {});
    for (TestIssuer.Spoiled answer :
        List.<TestIssuer.Spoiled>of(
            exchange -> TestIssuer.send(exchange, "x".repeat(IssuerKeys.DOCUMENT_BYTES_MAX + 1)),
            exchange -> TestIssuer.send(exchange, "no keys"),
            exchange -> exchange.sendResponseHeaders(500, -1),
            exchange -> {
              exchange.getResponseHeaders().set("Location", issuer.name() + "/elsewhere");
              exchange.sendResponseHeaders(302, -1);
            },
            exchange -> exchange.getRequestHeaders(),
            exchange -> {
              exchange.sendResponseHeaders(200, 0);
              exchange.getResponseBody().write('{');
              exchange.getResponseBody().flush();
            })) {
      issuer.spoiled = Optional.of(answer);
      assertThrows(PortUnavailable.class, () -> tokens(issuer.known(), SHORT).identity(token));
    }
  }

  @Test
  void believesNoDescriptionOfAnotherIssuerNorAnAddressThatIsNotSafe() throws JOSEException {
    String token = token(_ -> {});
    for (String wrong :
        List.of(
            "{\"issuer\":\"https://another.example\",\"jwks_uri\":\"%s\"}",
            "{\"jwks_uri\":\"%s\"}",
            "{\"issuer\":\"" + issuer.name() + "\"}",
            "{\"issuer\":\"" + issuer.name() + "\",\"jwks_uri\":\"http://192.0.2.1/keys\"}",
            "{\"issuer\":\"" + issuer.name() + "\",\"jwks_uri\":\"file:///etc/passwd\"}",
            "[]")) {
      issuer.description = Optional.of(wrong.formatted(issuer.keysAddress()));
      assertThrows(PortUnavailable.class, () -> tokens(issuer.known()).identity(token), wrong);
    }
    assertEquals(0, issuer.asked.get());
  }

  @Test
  void takesTheAddressOfTheKeysFromTheOperator() throws JOSEException {
    issuer.description = Optional.of("no description");
    OidcIssuer named =
        new OidcIssuer(
            issuer.name(),
            TestIssuer.AUDIENCE,
            Optional.of(issuer.keysAddress()),
            "tenant",
            "scope",
            true);

    assertTrue(tokens(named).identity(token(_ -> {})).isPresent());
  }

  @Test
  void takesNoIssuerThatOthersCouldAnswerFor() {
    for (String address :
        List.of("http://127.0.0.1:1", "http://login.example", "ftp://login.example", "login")) {
      assertThrows(
          IllegalStateException.class,
          () -> new OidcIssuer(address, "a", Optional.empty(), "tenant", "scope", false),
          address);
    }
    assertThrows(
        IllegalStateException.class,
        () ->
            new OidcIssuer(
                "https://login.example",
                "a",
                Optional.of(URI.create("http://login.example/keys")),
                "tenant",
                "scope",
                true));
  }

  private OidcTokens tokens(OidcIssuer known) {
    return tokens(known, LONG);
  }

  private OidcTokens tokens(OidcIssuer known, Duration patience) {
    return new OidcTokens(
        known,
        new KeptIssuerKeys(new IssuerKeys(known, patience)::read, clock),
        clock,
        reasons::add);
  }

  private String token(Consumer<JWTClaimsSet.Builder> changes) throws JOSEException {
    return TestIssuer.signed(key, JWSAlgorithm.RS256, issuer.claims(NOW, changes));
  }
}
