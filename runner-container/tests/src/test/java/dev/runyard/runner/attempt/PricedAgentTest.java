package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.runyard.core.agent.Prices;
import dev.runyard.core.attempt.AgentHandle;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.usage.Usage;
import dev.runyard.runner.backend.AgentControl;
import dev.runyard.runner.backend.AgentOutput;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.EventShaper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PricedAgentTest {
  private static final Prices PRICES =
      new Prices(
          Map.of("m", new Prices.Price(1, 1, 1, 4), Prices.ANY, new Prices.Price(10, 10, 10, 40)));

  private final AgentOutput output = new AgentOutput(EventShaper.bare());
  private final AgentRun run = new AgentRun(output, AgentControl.withoutInput(output, () -> {}));

  @Test
  void costsWhatThePricesSayWhateverTheAgentSays() throws InterruptedException {
    AgentHandle agent = PricedAgent.of(run, PRICES);
    output.tell(new RunEvent.CostRecorded(new Usage(500_000, 0, 125_000, 0, null).asTurn(), "m"));
    output.tell(new RunEvent.CostRecorded(new Usage(0, 0, 0, 0, 0.75), "m"));
    output.tell(new RunEvent.CostRecorded(new Usage(100_000, 0, 0, 0, null), null));
    output.tell(new RunEvent.ModelDelta("text"));

    assertEquals(
        List.of(
            new AgentSignal.Output(
                new RunEvent.CostRecorded(new Usage(500_000, 0, 125_000, 0, 1.0).asTurn(), "m")),
            new AgentSignal.Output(new RunEvent.CostRecorded(new Usage(0, 0, 0, 0, 0.0), "m")),
            new AgentSignal.Output(
                new RunEvent.CostRecorded(new Usage(100_000, 0, 0, 0, 1.0), null)),
            new AgentSignal.Output(new RunEvent.ModelDelta("text"))),
        agent.take(10));
  }

  @Test
  void leavesAnAgentWithoutPricesAsItIs() {
    assertSame(run, PricedAgent.of(run, Prices.NONE));
  }
}
