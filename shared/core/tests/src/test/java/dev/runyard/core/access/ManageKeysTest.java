package dev.runyard.core.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.memory.MemoryKeys;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ManageKeysTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private final SettableClock clock = new SettableClock(NOW);
  private final MemoryKeys kept = new MemoryKeys();
  private final ManageKeys keys =
      new ManageKeys(kept, new Random(1), clock, new RandomIds(new Random(2)));
  private final Identity maker =
      new Identity.KeyHolder(
          "k-1", "hash", "key:k-1", "shop", Set.of(Scope.KEYS_MANAGE, Scope.RUNS_READ));

  @Test
  void makesAKeyOfTheMakersTenantInTheMakersName() {
    ManageKeys.Result.Made made = made(keys.make(maker, order(Scope.RUNS_READ)));

    assertEquals("shop", made.key().tenant());
    assertEquals("key:k-1", made.key().madeBy());
    assertEquals("key:" + made.key().id(), made.key().actor());
    assertEquals(Optional.of(NOW.plusSeconds(60)), made.key().expires());
    assertEquals(Optional.of(made.key()), kept.find(made.text().hash()));
  }

  @Test
  void givesNoScopeThatItsMakerLacks() {
    Problem problem = refused(keys.make(maker, order(Scope.RUNS_WRITE)));

    assertEquals(ProblemCode.SCOPE_MISSING, problem.code());
    assertTrue(problem.detail().contains("runs:write"), problem.detail());
    assertEquals(List.of("/scopes"), problem.pointers());
  }

  @Test
  void givesOtherTenantsNothingUnlessTheOperatorDoes() {
    KeyOrder order =
        new KeyOrder(
            Optional.empty(), Optional.of("other"), Set.of(Scope.RUNS_READ), OptionalLong.empty());

    assertEquals(ProblemCode.FOREIGN_TENANT, refused(keys.make(maker, order)).code());
    assertEquals("other", made(keys.make(new Identity.Operator(), order)).key().tenant());
    assertEquals(List.of("/tenant"), refused(keys.make(maker, order)).pointers());
    Problem refusal = ManageKeys.refusal(maker, "other").orElseThrow();
    assertEquals(ProblemCode.FOREIGN_TENANT, refusal.code());
    assertEquals(List.of(), refusal.pointers(), "there is no body to point into");
    assertTrue(ManageKeys.refusal(maker, "shop").isEmpty());
    assertTrue(ManageKeys.refusal(new Identity.Operator(), "other").isEmpty());
  }

  @Test
  void makesNoMoreThanATenantMayHaveAndAgainWhenOneIsRevoked() {
    String first = "";
    for (int i = 0; i < ManageKeys.KEYS_MAX; i++) {
      first = made(keys.make(maker, order(Scope.RUNS_READ))).key().id();
    }

    assertEquals(ProblemCode.KEYS_FULL, refused(keys.make(maker, order(Scope.RUNS_READ))).code());
    keys.revoke("shop", first);
    made(keys.make(maker, order(Scope.RUNS_READ)));

    clock.advance(Duration.ofSeconds(60));
    made(keys.make(maker, order(Scope.RUNS_READ)));
  }

  @Test
  void makesNoKeyThatCouldNotBeListed() {
    for (int i = 0; i < Keys.LISTED_MAX - 1; i++) {
      keys.revoke("shop", made(keys.make(maker, order(Scope.RUNS_READ))).key().id());
    }
    made(keys.make(maker, order(Scope.RUNS_READ)));

    assertEquals(ProblemCode.KEYS_FULL, refused(keys.make(maker, order(Scope.RUNS_READ))).code());
  }

  @Test
  void listsTheKeysOfATenantWithThoseRevoked() {
    AccessKey first = made(keys.make(maker, order(Scope.RUNS_READ))).key();
    clock.advance(Duration.ofSeconds(1));
    AccessKey second = made(keys.make(maker, order(Scope.KEYS_MANAGE))).key();

    AccessKey revoked = keys.revoke("shop", first.id()).orElseThrow();

    assertEquals(first.id(), revoked.id());
    assertEquals(Optional.of(clock.instant()), revoked.revoked());
    assertEquals(List.of(revoked, second), keys.list("shop"));
    assertEquals(List.of(), keys.list("other"));
    assertEquals(Optional.empty(), keys.revoke("other", second.id()));
    assertEquals(Optional.empty(), keys.revoke("shop", "key_unknown"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|/scopes",
        "{\"scopes\":[]}|/scopes",
        "{\"scopes\":[\"runs:all\"]}|/scopes/0",
        "{\"scopes\":[\"runs:read\"],\"name\":\" \"}|/name",
        "{\"scopes\":[\"runs:read\"],\"name\":\"a\\u001bb\"}|/name",
        "{\"scopes\":[\"runs:read\"],\"tenant\":\"Shop\"}|/tenant",
        "{\"scopes\":[\"runs:read\"],\"tenant\":\"uploads\"}|/tenant",
        "{\"scopes\":[\"runs:read\"],\"expires_in_seconds\":1}|/expires_in_seconds",
        "{\"scopes\":[\"runs:read\"],\"actor\":\"me\"}|/actor",
      })
  void refusesAnOrderThatIsWrong(String body, String pointer) {
    Problem problem =
        assertInstanceOf(
                KeyOrder.Result.Rejected.class,
                KeyOrder.read(body.getBytes(StandardCharsets.UTF_8)))
            .problem();

    assertEquals(List.of(pointer), problem.pointers());
  }

  private static KeyOrder order(Scope scope) {
    return new KeyOrder(Optional.of("ci"), Optional.empty(), Set.of(scope), OptionalLong.of(60));
  }

  private static ManageKeys.Result.Made made(ManageKeys.Result result) {
    return assertInstanceOf(ManageKeys.Result.Made.class, result);
  }

  private static Problem refused(ManageKeys.Result result) {
    return assertInstanceOf(ManageKeys.Result.Refused.class, result).problem();
  }
}
