package dev.runyard.core.access;

import dev.runyard.core.ids.Ids;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/// Makes, lists and revokes keys. Nobody gives more than they have: a key opens its maker's tenant,
/// with scopes of its maker. The operator may give keys to any tenant.
public final class ManageKeys {
  /// Keys of a tenant that may be valid at once, but for those that are made at the same time.
  public static final int KEYS_MAX = 100;

  private static final String ID = "key_";

  private final Keys keys;
  private final RandomGenerator random;
  private final InstantSource clock;
  private final Ids ids;

  /// @param random a source that nobody can predict
  public ManageKeys(Keys keys, RandomGenerator random, InstantSource clock, Ids ids) {
    this.keys = keys;
    this.random = random;
    this.clock = clock;
    this.ids = ids;
  }

  /// What became of an order.
  public sealed interface Result {
    /// The key.
    ///
    /// @param text to be shown once; it is kept nowhere
    record Made(AccessKey key, KeyText text) implements Result {}

    record Refused(Problem problem) implements Result {}
  }

  /// Makes a key, in the name of `maker`.
  public Result make(Identity maker, KeyOrder order) {
    String tenant = order.tenant().orElseGet(maker::tenant);
    if (!reaches(maker, tenant)) {
      return new Result.Refused(foreign("/tenant"));
    }
    Set<String> lacking =
        order.scopes().stream()
            .filter(scope -> !maker.scopes().contains(scope))
            .map(Scope::wire)
            .collect(Collectors.toCollection(TreeSet::new));
    if (!lacking.isEmpty()) {
      return new Result.Refused(
          Problem.at(
              ProblemCode.SCOPE_MISSING,
              "/scopes",
              "You can give scopes that you have yourself, and you do not have %s."
                  .formatted(String.join(", ", lacking))));
    }
    Instant now = now();
    if (isFull(keys.list(tenant), now)) {
      return new Result.Refused(
          Problem.of(
              ProblemCode.KEYS_FULL,
              "The tenant has %d valid keys, or many that were. Revoke some, or wait until old ones are forgotten."
                  .formatted(KEYS_MAX)));
    }
    KeyText text = KeyText.drawn(random);
    AccessKey.Grant grant =
        new AccessKey.Grant(tenant, order.name(), order.scopes(), expiry(order, now));
    AccessKey key = AccessKey.made(text, ID + ids.token(), grant, maker.actor(), now);
    keys.add(key);
    return new Result.Made(key, text);
  }

  /// As precise as times are kept.
  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  private static Optional<Instant> expiry(KeyOrder order, Instant now) {
    return order.seconds().isPresent()
        ? Optional.of(now.plusSeconds(order.seconds().getAsLong()))
        : Optional.empty();
  }

  private static boolean isFull(List<AccessKey> known, Instant now) {
    return known.size() >= Keys.LISTED_MAX
        || known.stream().filter(key -> key.valid(now)).count() >= KEYS_MAX;
  }

  /// The keys of a tenant, oldest first.
  public List<AccessKey> list(String tenant) {
    return keys.list(tenant);
  }

  /// Revokes a key of a tenant; empty if there is none of this id.
  public Optional<AccessKey> revoke(String tenant, String id) {
    return keys.revoke(tenant, id, now());
  }

  /// Why one may not manage the keys of a tenant; empty for one who may.
  public static Optional<Problem> refusal(Identity manager, String tenant) {
    return reaches(manager, tenant) ? Optional.empty() : Optional.of(foreign(""));
  }

  private static boolean reaches(Identity identity, String tenant) {
    return identity instanceof Identity.Operator || identity.tenant().equals(tenant);
  }

  private static Problem foreign(String at) {
    String detail = "Keys of other tenants are for the operator of the stack.";
    return at.isEmpty()
        ? Problem.of(ProblemCode.FOREIGN_TENANT, detail)
        : Problem.at(ProblemCode.FOREIGN_TENANT, at, detail);
  }
}
