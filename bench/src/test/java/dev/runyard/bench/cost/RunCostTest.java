package dev.runyard.bench.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class RunCostTest {
  private static final double CENT = 0.01;
  private static final Map<String, Counts> RUN =
      Map.of(
          "api",
          new Counts(2, Map.of("PutItem", 2.0, "SendMessage", 1.0), 0.5, 2, 0),
          "advance",
          new Counts(3, Map.of("Query", 4.0, "GetQueueAttributes", 1.0), 7.5, 1, 0),
          "runner",
          new Counts(1, Map.of("PutItem", 98.0, "ChangeMessageVisibility", 40.0), 0, 97, 50_000));

  @Test
  void pricesUnitsAndRequestsOfAllCallers() {
    assertEquals(100 * 0.625, dollars("DynamoDB writes"), CENT);
    assertEquals(8 * 0.125, dollars("DynamoDB reads"), CENT);
    assertEquals(42 * 0.40, dollars("SQS requests"), CENT);
  }

  @Test
  void billsInvocationsOfFunctionsAndNotOfRunners() {
    assertEquals(5 * 0.20, dollars("Lambda requests"), CENT);
    double gigabyteSeconds = (8 * RunCost.CALL_MILLIS + 5 * RunCost.OWN_MILLIS) / 1e3;
    assertEquals(gigabyteSeconds * 13.3334, dollars("Lambda time"), CENT);
    assertEquals(2 * 3.50, dollars("API Gateway"), CENT);
    assertEquals(5 * RunCost.LOG_BYTES * 0.50 / 1e3, dollars("logs"), CENT);
  }

  @Test
  void billsTheGatewayForEachFunctionBehindIt() {
    Map<String, Counts> others =
        Map.of(
            "api", new Counts(2, Map.of(), 0, 0, 0),
            "manage", new Counts(1, Map.of(), 0, 0, 0),
            "stream", new Counts(1, Map.of(), 0, 0, 0),
            "deliver", new Counts(5, Map.of(), 0, 0, 0));

    assertEquals(4 * 3.50, dollars(others, "API Gateway"), CENT);
    assertEquals(9 * 0.20, dollars(others, "Lambda requests"), CENT);
    assertEquals(2 * 1.00, RunCost.bus(2).dollars(), CENT);
  }

  @Test
  void keepsWhatWasPutForAMonth() {
    assertEquals((50_000 + 100 * RunCost.ITEM_BYTES) * 0.45 / 1e3, dollars("storage"), CENT);
  }

  @Test
  void aRunnerIsPaidForBySecondAndSharedByItsRuns() {
    assertEquals(7_767, RunCost.runners(600, 1, 4, 1), 1);
    assertEquals(7_767 / 4.0, RunCost.runners(600, 1, 4, 4), 1);
  }

  @Test
  void theSweepOfAnIdleStackCostsTheRunsNothing() {
    Counts ten = SweepCost.IDLE_CALL.dividedBy(0.1);

    Counts left = SweepCost.ofRuns(ten);

    assertEquals(0, left.readUnits(), CENT);
    assertEquals(0, left.requestsInAll(), CENT);
    assertEquals(0, left.invocations(), CENT);
    assertTrue(SweepCost.idleMonth(0) > 0);
    assertEquals(0.60, SweepCost.idleMonth(6) - SweepCost.idleMonth(0), CENT);
  }

  private static double dollars(String name) {
    return dollars(RUN, name);
  }

  private static double dollars(Map<String, Counts> perRun, String name) {
    return RunCost.lines(perRun).stream()
        .filter(line -> line.name().startsWith(name))
        .findFirst()
        .orElseThrow()
        .dollars();
  }
}
