package dev.runyard.core.access;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonBody;
import dev.runyard.core.json.JsonFields;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.problem.Problem;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// What a new key is to be.
///
/// @param tenant empty for the tenant of whoever makes it
/// @param seconds how long it is valid; empty for ever
public record KeyOrder(
    Optional<String> name, Optional<String> tenant, Set<Scope> scopes, OptionalLong seconds) {
  /// Longest name of a key.
  public static final int NAME_BYTES_MAX = 128;

  /// Shortest and longest time for which a key may be valid, unless it is for ever.
  public static final int SECONDS_MIN = 60;

  public static final int SECONDS_MAX = 10 * 366 * 24 * 3600;

  private static final String NAME = "name";
  private static final String TENANT = "tenant";
  private static final String SCOPES = "scopes";
  private static final String SECONDS = "expires_in_seconds";

  public KeyOrder {
    scopes = Set.copyOf(scopes);
  }

  /// What the body turned out to be.
  public sealed interface Result {
    record Accepted(KeyOrder order) implements Result {}

    record Rejected(Problem problem) implements Result {}
  }

  /// Reads `{"name", "tenant", "scopes", "expires_in_seconds"}`.
  public static Result read(byte[] body) {
    return switch (JsonBody.read(body)) {
      case JsonBody.Result.Rejected rejected -> new Result.Rejected(rejected.problem());
      case JsonBody.Result.Read read ->
          of(JsonFields.of(read.object(), Set.of(NAME, TENANT, SCOPES, SECONDS)));
    };
  }

  private static Result of(JsonFields members) {
    Optional<String> name = members.text(NAME);
    if (name.filter(text -> !isName(text)).isPresent()) {
      members.refuse(
          NAME, "name must have 1 to %d bytes and no control characters".formatted(NAME_BYTES_MAX));
    }
    Optional<String> tenant = members.text(TENANT);
    if (tenant.filter(text -> !RunKey.isTenant(text)).isPresent()) {
      members.refuse(TENANT, "tenant must be " + RunKey.TENANT_FORM);
    }
    Set<Scope> scopes = scopes(members);
    OptionalLong seconds = members.optionalWhole(SECONDS, SECONDS_MIN, SECONDS_MAX);
    return members
        .problem()
        .<Result>map(Result.Rejected::new)
        .orElseGet(() -> new Result.Accepted(new KeyOrder(name, tenant, scopes, seconds)));
  }

  private static boolean isName(String text) {
    return !text.isBlank()
        && Bounds.bytes(text) <= NAME_BYTES_MAX
        && text.chars().noneMatch(Character::isISOControl);
  }

  private static Set<Scope> scopes(JsonFields members) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    List<String> names = members.texts(SCOPES, Scope.values().length);
    for (int i = 0; i < names.size(); i++) {
      Optional<Scope> scope = Scope.of(names.get(i));
      if (scope.isEmpty()) {
        members.refuseItem(SCOPES, i, "Each of scopes must be one of: " + Scope.names());
      }
      scope.ifPresent(scopes::add);
    }
    if (scopes.isEmpty()) {
      members.refuse(SCOPES, "scopes must name at least one of: " + Scope.names());
    }
    return scopes;
  }
}
