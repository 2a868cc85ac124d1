package dev.runyard.core.quota;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class QuotasTest {
  @Test
  void nobodyHasALimitUnlessTheDocumentSaysSo() {
    Quotas none = Quotas.parse("{}");

    assertEquals(Quota.NONE, none.of("shop"));
    assertFalse(none.countRuns());
    assertFalse(Quotas.parse("{\"default\":{\"timeout_seconds_max\":60}}").countRuns());
  }

  @Test
  void aTenantHasItsOwnLimitsAndTheDefaultOnes() {
    Quotas quotas =
        Quotas.parse(
            """
            {"default": {"open_runs_max": 20, "minute_submits_max": 60, "day_cost_usd_max": 2.5},
             "tenants": {"shop": {"open_runs_max": 5, "minute_submits_max": null}}}
            """);

    assertEquals(20, quotas.of("other").most(QuotaLimit.OPEN_RUNS));
    assertEquals(2_500_000, quotas.of("other").most(QuotaLimit.DAY_COST));
    assertEquals("2.5", quotas.of("other").written(QuotaLimit.DAY_COST).toString());
    assertEquals(5, quotas.of("shop").most(QuotaLimit.OPEN_RUNS));
    assertEquals(OptionalLong.empty(), quotas.of("shop").limit(QuotaLimit.MINUTE_SUBMITS));
    assertTrue(quotas.countRuns());
  }

  @Test
  void nobodyHasAllPlacesThatTenantsShareUnlessTheOperatorSaysSo() {
    Quota share = Quota.share(40);

    assertEquals(36, Quotas.parse("{}", share).of("shop").most(QuotaLimit.RUNNING_RUNS));
    assertTrue(Quotas.parse("{}", share).countRuns());
    assertEquals(
        36,
        Quotas.parse("{\"tenants\":{\"shop\":{\"open_runs_max\":5}}}", share)
            .of("shop")
            .most(QuotaLimit.RUNNING_RUNS));
    assertEquals(
        2,
        Quotas.parse("{\"default\":{\"running_runs_max\":2}}", share)
            .of("shop")
            .most(QuotaLimit.RUNNING_RUNS));
    assertEquals(
        Quotas.NONE.of("shop"),
        Quotas.parse("{\"default\":{\"running_runs_max\":null}}", share).of("shop"));
  }

  @Test
  void aShareLeavesAPlaceAndCanBeCounted() {
    assertEquals(1, Quota.share(2).most(QuotaLimit.RUNNING_RUNS));
    assertEquals(3, Quota.share(4).most(QuotaLimit.RUNNING_RUNS));
    assertEquals(1_000, Quota.share(1_112).most(QuotaLimit.RUNNING_RUNS));
    assertEquals(Quota.NONE, Quota.share(1));
    assertEquals(Quota.NONE, Quota.share(1_113));
  }

  /// What a run used is added when it is taken out of the open runs, so these are counted, and
  /// their number is bounded, wherever it is to be added.
  @Test
  void opensAreBoundedWhereADayIs() {
    Quota daily = Quotas.parse("{\"default\":{\"day_tokens_max\":1000}}").of("shop");

    assertTrue(daily.countsOpen());
    assertEquals(Quota.COUNTED_RUNS_MAX, daily.openMost());
    assertFalse(new Quota(java.util.Map.of(QuotaLimit.MINUTE_SUBMITS, 1L)).countsOpen());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "[] | not a JSON object",
        "{ | not JSON",
        "{\"defaults\":{}} | /defaults",
        "{\"default\":{\"open_runs\":1}} | /default/open_runs",
        "{\"default\":{\"open_runs_max\":1001}} | /default/open_runs_max",
        "{\"default\":{\"open_runs_max\":-1}} | /default/open_runs_max",
        "{\"default\":{\"open_runs_max\":\"1\"}} | /default/open_runs_max",
        "{\"default\":{\"timeout_seconds_max\":0}} | /default/timeout_seconds_max",
        "{\"default\":{\"attempts_max\":11}} | /default/attempts_max",
        "{\"default\":{\"day_cost_usd_max\":-1}} | /default/day_cost_usd_max",
        "{\"tenants\":{\"Shop\":{}}} | /tenants/Shop",
        "{\"tenants\":{\"shop\":{\"x\":1}}} | /tenants/shop/x",
        "{\"tenants\":{\"shop\":7}} | /tenants/shop",
        "{\"default\":{},\"default\":{}} | not JSON",
      })
  void stopsTheProcessWhereTheDocumentIsWrong(String document, String named) {
    IllegalArgumentException wrong =
        assertThrows(IllegalArgumentException.class, () -> Quotas.parse(document));

    assertTrue(String.valueOf(wrong.getMessage()).contains(named), wrong::toString);
  }
}
