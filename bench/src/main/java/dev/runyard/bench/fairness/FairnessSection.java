package dev.runyard.bench.fairness;

import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.section.Section;
import dev.runyard.core.quota.Quota;
import dev.runyard.core.quota.Quotas;
import java.util.List;

/// How long a run waits that is submitted after ten thousand of another tenant, computed on a clock
/// that is advanced.
public final class FairnessSection implements Section {
  static final int MANY = 10_000;
  static final int PLACES = 40;

  /// What a stack of several tenants has if its operator says nothing; it leaves one runner of four
  /// runs to others.
  static final Quotas LIMITED = Quotas.parse("{}", Quota.share(PLACES));

  private static final String NAME = "fairness";

  @Override
  public List<Figure> measure() {
    BusyTenant.Waited lone = new BusyTenant(Quotas.NONE, PLACES).play(0);
    BusyTenant.Waited unlimited = new BusyTenant(Quotas.NONE, PLACES).play(MANY);
    BusyTenant.Waited limited = new BusyTenant(LIMITED, PLACES).play(MANY);
    String note =
        "%,d runs of %d s before it, %d places".formatted(MANY, BusyTenant.RUN_SECONDS, PLACES);
    return List.of(
        seconds("wait alone", lone.seconds(), "runners look once a second"),
        seconds("wait behind another tenant, no quota", unlimited.seconds(), note),
        count("runs that started before it, no quota", unlimited.before(), note),
        seconds("wait behind another tenant, running_runs_max 36", limited.seconds(), note),
        count("runs that started before it, running_runs_max 36", limited.before(), note),
        count("messages in the queue at most, running_runs_max 36", limited.queued(), note));
  }

  private static Figure seconds(String name, int value, String note) {
    return new Figure(NAME, name, value, "s", note);
  }

  private static Figure count(String name, int value, String note) {
    return new Figure(NAME, name, value, "", note);
  }
}
