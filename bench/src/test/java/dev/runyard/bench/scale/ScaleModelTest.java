package dev.runyard.bench.scale;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.bench.cost.RunCost;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.projection.ReadModels;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ScaleModelTest {
  private static final double MILLION = 1e6;
  private static final double EXACT = 1e-6;
  private static final RunProfile TEN_MINUTES = new RunProfile(10, 0.01);

  @Test
  void aDayHasItsRunsAndItsPeakAtNoon() {
    assertEquals(MILLION, Day.total(MILLION), 0.1);
    assertEquals(0, Day.arrivals(MILLION, 0), EXACT);
    assertEquals(MILLION / Day.MINUTES * Day.PEAK, Day.arrivals(MILLION, Day.MINUTES / 2), EXACT);
    assertEquals(37.04, model(MILLION, 1000, 32).busiest(), 0.01);
  }

  /// As many runs are at work as come in the time each takes.
  @Test
  void runnersAreTakenByWhatIsAtWorkAtTheBusiest() {
    double atWork = model(MILLION, 1000, 32).busiest() * 600;

    ScaleModel.Use tasks = use(model(MILLION, 1000, 32), "runner tasks");

    assertEquals(atWork / 32, tasks.used(), EXACT);
    assertEquals(1000, tasks.limit(), EXACT);
    assertEquals(100 * atWork / 32 / 1000, tasks.percent(), EXACT);
  }

  @Test
  void runsWaitWhereTheRunnersAreTooFewAndNowhereElse() {
    assertEquals(0, use(model(MILLION, 1000, 32), "longest wait for a runner").used(), EXACT);

    Day.Queue few = Day.queue(MILLION, 10, 10_000);
    assertTrue(few.longest() > 0);
    assertEquals(few.longest() / 1000, few.waitMinutes(), EXACT);
    assertEquals(10_000, few.busiest(), EXACT);
    assertEquals(
        Day.queue(MILLION, 10, 1e9).begun(),
        Day.total(MILLION),
        1,
        "all begin with runners enough");
  }

  @Test
  void aListsPartitionTakesItsShareOfTheSaves() {
    double saves = model(MILLION, 1000, 32).busiest() * (3.0 + 600.0 / Limits.SILENT_SECONDS);

    assertEquals(
        saves * 2 / ReadModels.LIST_SHARDS,
        use(model(MILLION, 1000, 32), "writes of a list").used(),
        EXACT);
    assertEquals(
        saves * 2 / ReadModels.DUE_SHARDS,
        use(model(MILLION, 1000, 32), "writes of a due").used(),
        EXACT);
  }

  /// 16 lanes, of which each makes a visit in 32 ms, for 35 s.
  @Test
  void sweepSeesEachOpenRunInTime() {
    ScaleModel.Use clock = use(model(MILLION, 1000, 32), "sweep");

    assertEquals(17_500, clock.limit(), EXACT);
    assertEquals(
        model(MILLION, 1000, 32).busiest() * 600 * 60 / Limits.SILENT_SECONDS, clock.used(), EXACT);
  }

  /// 875 tenants, each with five calls of 8 ms, in 35 s.
  @Test
  void sweepLooksAfterTenantsOneByOne() {
    assertEquals(875, ScaleModel.tenants(), EXACT);
  }

  /// Ten calls with 18 lanes each, of which each is busy with a run for 13 calls of 8 ms.
  @Test
  void advanceTakesAsManyRunsAsItsLanesDo() {
    assertEquals(180 / 0.104, use(model(MILLION, 1000, 32), "advance").limit(), 1e-3);
  }

  /// As many lanes, of which each is busy with a run for 13.2 calls of 8 ms: 3.3 looks at it, of
  /// four calls each.
  @Test
  void projectTakesAsManyRunsAsItsLanesDo() {
    ScaleModel model = model(MILLION, 1000, 32);
    ScaleModel.Use project = use(model, "project");

    assertEquals(180 / 0.1056, project.limit(), 1e-3);
    assertEquals(model.busiest() / ScaleModel.SHARDS_MIN, project.used(), EXACT);
    assertTrue(project.percent() > use(model, "advance").percent(), "it breaks first");
  }

  /// `sweep` asks for 100 tasks at once, once a minute; all slots are read for each run.
  @Test
  void theFleetIsReadForEachRunAndItsTasksOnceAMinute() {
    ScaleModel model = model(MILLION, 1000, 32);

    assertEquals(7 / 60.0, use(model, "looks of sweep").used(), EXACT);
    double units = Math.ceil(695 * ScaleModel.SLOT_BYTES / 4096);
    assertEquals(model.busiest() * units, use(model, "reads of the slots").used(), EXACT);
  }

  @Test
  void aReaderHoldsACallAsLongAsItReads() {
    ScaleModel none = new ScaleModel(MILLION, new RunProfile(10, 0), Plan.LARGEST);
    ScaleModel each = new ScaleModel(MILLION, new RunProfile(10, 1), Plan.LARGEST);

    double more = use(each, "calls of functions").used() - use(none, "calls of functions").used();

    assertEquals(none.busiest() * 600, more, 1e-3);
  }

  @Test
  void everyUseGrowsWithTheRunsButForWhatIsThereAnyway() {
    List<ScaleModel.Use> one = model(MILLION, 1000, 64).uses();
    List<ScaleModel.Use> two = model(2 * MILLION, 1000, 64).uses();
    for (int i = 0; i < one.size(); i++) {
      String name = one.get(i).name();
      assertTrue(two.get(i).used() >= one.get(i).used(), name);
      int times = name.startsWith("reads of the slots") ? 2 * 2 : 2; // More read more.
      assertTrue(two.get(i).used() <= times * one.get(i).used() + 1, name);
    }
  }

  /// A read of half a unit each `parts`-th of `TailMillis`, of the 3,000 units of a partition.
  @Test
  void theViewersOfARunShareItsPartition() {
    double perSecond = 1000 / (200 + RunCost.CALL_MILLIS);
    assertEquals(6000 / perSecond, ScaleModel.viewersOfARun(1000, 5), EXACT);
    assertTrue(ScaleModel.viewersOfARun(1000, 5) > 1000);
    assertTrue(ScaleModel.viewersOfARun(1000, 1) > 6000);
  }

  private static ScaleModel model(double runs, int runners, int runsPerRunner) {
    return new ScaleModel(runs, TEN_MINUTES, new Plan(runners, runsPerRunner, 500, 1000));
  }

  private static ScaleModel.Use use(ScaleModel model, String name) {
    return model.uses().stream()
        .filter(use -> use.name().startsWith(name))
        .findFirst()
        .orElseThrow();
  }
}
