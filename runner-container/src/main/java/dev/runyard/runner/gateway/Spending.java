package dev.runyard.runner.gateway;

import dev.runyard.core.agent.Prices;
import dev.runyard.core.event.ModelNotice;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.usage.Usage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a run has used of its bounds. Not thread-safe.
final class Spending {
  /// The share of a bound whose use is reported.
  static final double LOW_SHARE = 0.8;

  private final RunBounds bounds;
  private final Prices prices;
  private final Set<String> low = new HashSet<>();
  private Usage used;

  /// @param used what the run used before
  Spending(RunBounds bounds, Prices prices, Usage used) {
    this.bounds = bounds;
    this.prices = prices;
    this.used = used;
  }

  /// The bound that another call would go over.
  ///
  /// @param open what calls that have not ended have used so far
  Optional<String> blocks(Usage open) {
    return spent(used.plus(open)).stream()
        .filter(bound -> bound.used() >= bound.max())
        .map(Bound::name)
        .findFirst();
  }

  /// Whether a bound is exceeded.
  ///
  /// @param open what calls that have not ended have used so far
  boolean exceeded(Usage open) {
    return spent(used.plus(open)).stream().anyMatch(bound -> bound.used() > bound.max());
  }

  /// What a call cost, by the operator's prices.
  Usage priced(Usage call, @Nullable String model) {
    return prices.priced(call, model);
  }

  /// Adds a call; the bounds that are nearly reached for the first time.
  List<RunEvent> add(Usage call) {
    used = used.plus(call);
    List<RunEvent> reported = new ArrayList<>();
    for (Bound bound : spent(used)) {
      if (bound.used() >= LOW_SHARE * bound.max() && low.add(bound.name())) {
        reported.add(new ModelNotice.QuotaLow(bound.name(), bound.used(), bound.max()));
      }
    }
    return reported;
  }

  private record Bound(String name, double used, double max) {}

  private List<Bound> spent(Usage all) {
    List<Bound> spent = new ArrayList<>();
    Integer turns = bounds.maxTurns();
    Long tokens = bounds.maxTokens();
    Double cost = bounds.maxCostUsd();
    if (turns != null) {
      spent.add(new Bound(RunBounds.MAX_TURNS, all.turns(), turns));
    }
    if (tokens != null) {
      spent.add(new Bound(RunBounds.MAX_TOKENS, all.tokens(), tokens));
    }
    if (cost != null) {
      Double dollars = all.costUsd();
      spent.add(new Bound(RunBounds.MAX_COST_USD, dollars == null ? 0 : dollars, cost));
    }
    return spent;
  }
}
