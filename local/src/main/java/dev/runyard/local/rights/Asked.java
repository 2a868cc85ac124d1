package dev.runyard.local.rights;

import java.util.Map;

/// One API action a request needs, before its signer is known. Its parts are those of [Call].
public record Asked(String action, String resource, Map<String, String> facts) {

  public Asked {
    facts = Map.copyOf(facts);
  }

  public static Asked of(String action, String resource) {
    return new Asked(action, resource, Map.of());
  }

  Call by(String role) {
    return new Call(role, action, resource, facts);
  }
}
