package dev.runyard.core.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.core.access.Authentication.Result;
import dev.runyard.core.access.Authentication.Shown;
import dev.runyard.core.memory.MemoryKeys;
import dev.runyard.core.problem.ProblemCode;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AuthenticationTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final String ARN = "arn:aws:iam::111122223333:user/alice";
  private final MemoryKeys keys = new MemoryKeys();
  private final KeyText text = KeyText.drawn(new Random(3));
  private final Identity user = new Identity.TokenHolder("alice", "shop", Set.of(Scope.RUNS_READ));
  private final Authentication bearer = bearer(false);

  AuthenticationTest() {
    AccessKey.Grant grant =
        new AccessKey.Grant("shop", Optional.empty(), Set.of(Scope.RUNS_READ), Optional.empty());
    keys.add(AccessKey.made(text, "k-1", grant, "somebody", NOW));
  }

  @Test
  void takesAKeyAndAToken() {
    assertEquals("key:k-1", known(bearer.of(authorization("Bearer " + text.secret()))).actor());
    assertEquals("key:k-1", known(bearer.of(authorization("bearer " + text.secret()))).actor());
    assertEquals("user:alice", known(bearer.of(authorization("Bearer token"))).actor());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Bearer", "Bearer ", "Basic dG9rZW4=", "token", "Bearer tokens"})
  void takesNothingElse(String header) {
    assertEquals(ProblemCode.UNAUTHENTICATED, refused(bearer.of(authorization(header))));
  }

  @Test
  void refusesAllInTheSameWords() {
    String wrong = "Bearer " + KeyText.drawn(new Random(4)).secret();
    assertEquals(
        bearer.of(new Shown(Optional.empty(), Optional.empty())), bearer.of(authorization(wrong)));
    assertEquals(bearer.of(authorization(wrong)), bearer.of(authorization(wrong + "x")));
  }

  @Test
  void doesNotBelieveAPrincipalWhereCallersShowKeys() {
    for (String principal : new String[] {ARN, Identity.Operator.NAME}) {
      assertEquals(
          ProblemCode.UNAUTHENTICATED,
          refused(bearer.of(new Shown(Optional.empty(), Optional.of(principal)))));
    }
    assertEquals(
        ProblemCode.UNAUTHENTICATED,
        refused(bearer(true).of(new Shown(Optional.empty(), Optional.of(ARN)))));
  }

  @Test
  void knowsTheOperatorOfAStackOnOneMachine() {
    assertEquals(
        new Identity.Operator(),
        known(bearer(true).of(new Shown(Optional.empty(), Optional.of(Identity.Operator.NAME)))));
  }

  @Test
  void letsAllPrincipalsInAsOneTenantWithoutADocument() {
    Authentication signed = new SignedAuthentication(Optional.empty());

    assertEquals(ARN, known(signed.of(principal(ARN))).actor());
    assertEquals("default", known(signed.of(principal(ARN))).tenant());
    assertEquals("local", known(signed.of(principal("local"))).actor());
    assertEquals(
        ProblemCode.UNAUTHENTICATED, refused(signed.of(authorization("Bearer " + text.secret()))));
  }

  @Test
  void letsNoPrincipalInThatADocumentDoesNotName() {
    Authentication signed =
        new SignedAuthentication(
            Optional.of(
                PrincipalTenants.parse(
                    "{\"principals\":[{\"arn\":\"*/alice\",\"tenant\":\"shop\"}]}")));

    assertEquals("shop", known(signed.of(principal(ARN))).tenant());
    assertEquals(ProblemCode.NO_TENANT, refused(signed.of(principal(ARN + "s"))));
  }

  private Authentication bearer(boolean operated) {
    return new BearerAuthentication(
        new KeyCheck(keys, () -> NOW, Runnable::run),
        Optional.of(token -> Optional.of(user).filter(_ -> token.equals("token"))),
        operated);
  }

  private static Shown authorization(String header) {
    return new Shown(Optional.of(header), Optional.empty());
  }

  private static Shown principal(String name) {
    return new Shown(Optional.empty(), Optional.of(name));
  }

  private static Identity known(Result result) {
    return assertInstanceOf(Result.Known.class, result).identity();
  }

  private static ProblemCode refused(Result result) {
    return assertInstanceOf(Result.Refused.class, result).problem().code();
  }
}
