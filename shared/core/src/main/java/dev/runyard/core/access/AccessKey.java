package dev.runyard.core.access;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/// What is kept of a key: all but its text, of which there is only the hash.
///
/// @param hash of its text ([KeyText#hash()])
/// @param id names it to people
/// @param madeBy the actor who made it
/// @param used when it was last used, some minutes late
public record AccessKey(
    String hash,
    String id,
    String tenant,
    Optional<String> name,
    Set<Scope> scopes,
    String madeBy,
    Instant created,
    Optional<Instant> expires,
    Optional<Instant> used,
    Optional<Instant> revoked) {
  /// The order of lists.
  public static final Comparator<AccessKey> OLDEST_FIRST =
      Comparator.comparing(AccessKey::created).thenComparing(AccessKey::id);

  private static final String ACTOR = "key:";

  public AccessKey {
    scopes = Set.copyOf(scopes);
  }

  /// A key that was just made.
  public static AccessKey made(
      KeyText text, String id, Grant grant, String madeBy, Instant created) {
    return new AccessKey(
        text.hash(),
        id,
        grant.tenant(),
        grant.name(),
        grant.scopes(),
        madeBy,
        created,
        grant.expires(),
        Optional.empty(),
        Optional.empty());
  }

  /// What a key is to open.
  public record Grant(
      String tenant, Optional<String> name, Set<Scope> scopes, Optional<Instant> expires) {}

  /// The name of its holder in events.
  public String actor() {
    return ACTOR + id;
  }

  /// Whether it opens anything at this time.
  public boolean valid(Instant now) {
    return revoked.isEmpty() && expires.map(now::isBefore).orElse(true);
  }

  /// From then on it may be forgotten; empty while it may be used.
  public Optional<Instant> forgettable() {
    return revoked.or(() -> expires).map(end -> end.plusSeconds(86_400L * Keys.KEPT_DAYS));
  }

  public Identity identity() {
    return new Identity.KeyHolder(id, hash, actor(), tenant, scopes);
  }

  /// The same key, revoked at this time unless it was before.
  public AccessKey revokedAt(Instant at) {
    return new AccessKey(
        hash,
        id,
        tenant,
        name,
        scopes,
        madeBy,
        created,
        expires,
        used,
        revoked.or(() -> Optional.of(at)));
  }

  /// The same key, used at this time.
  public AccessKey usedAt(Instant at) {
    return new AccessKey(
        hash, id, tenant, name, scopes, madeBy, created, expires, Optional.of(at), revoked);
  }
}
