package dev.runyard.runner.gateway;

import java.util.Set;

/// Which calls an agent may make.
///
/// @param models the models that may be called; empty for all
/// @param confined whether its provider may do nothing for it that needs another server
public record CallTerms(Set<String> models, boolean confined) {
  public CallTerms {
    models = Set.copyOf(models);
  }
}
