package dev.runyard.core.access;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/// Who a request is from, as something that can be trusted has said: a key, a token's issuer, the
/// gateway in front of a function. Nothing of it comes from the body of a request.
public sealed interface Identity {
  /// The tenant of whoever has no other.
  String TENANT_DEFAULT = "default";

  /// The tenant whose runs this one reaches, and no others.
  String tenant();

  /// The name in events, as the one who caused them.
  String actor();

  Set<Scope> scopes();

  /// The hash of the key on which this identity rests: with the key it ends. Empty for none.
  default Optional<String> key() {
    return Optional.empty();
  }

  /// Whoever has the whole stack in hand. May give keys to any tenant.
  record Operator(String actor) implements Identity {
    /// What the gateway of a stack on one machine calls whoever started it.
    public static final String NAME = "local";

    public Operator() {
      this(NAME);
    }

    @Override
    public String tenant() {
      return TENANT_DEFAULT;
    }

    @Override
    public Set<Scope> scopes() {
      return EnumSet.allOf(Scope.class);
    }
  }

  /// A caller whose request is signed with AWS credentials.
  ///
  /// @param actor the ARN of the principal
  record Principal(String actor, String tenant, Set<Scope> scopes) implements Identity {
    public Principal {
      scopes = Set.copyOf(scopes);
    }
  }

  /// Whoever shows a Runyard key.
  ///
  /// @param keyId of the key
  /// @param hash of the key's text
  record KeyHolder(String keyId, String hash, String actor, String tenant, Set<Scope> scopes)
      implements Identity {
    public KeyHolder {
      scopes = Set.copyOf(scopes);
    }

    @Override
    public Optional<String> key() {
      return Optional.of(hash);
    }
  }

  /// Whoever shows a token of the stack's issuer.
  ///
  /// @param subject whom the issuer means
  record TokenHolder(String subject, String tenant, Set<Scope> scopes) implements Identity {
    private static final String PREFIX = "user:";

    public TokenHolder {
      scopes = Set.copyOf(scopes);
    }

    @Override
    public String actor() {
      return PREFIX + subject;
    }
  }

  /// Whoever shows a stream token.
  ///
  /// @param actor who asked for it
  /// @param until when it is no longer good
  /// @param key the hash of the key with which it was asked for, if it was one
  record StreamReader(String actor, String tenant, Instant until, Optional<String> key)
      implements Identity {
    @Override
    public Set<Scope> scopes() {
      return EnumSet.of(Scope.RUNS_READ);
    }
  }

  /// The caller of a route that wants to know nobody. It has no tenant.
  record Nobody() implements Identity {
    @Override
    public String tenant() {
      throw new IllegalStateException("an open route has no caller");
    }

    @Override
    public String actor() {
      throw new IllegalStateException("an open route has no caller");
    }

    @Override
    public Set<Scope> scopes() {
      return Set.of();
    }
  }
}
