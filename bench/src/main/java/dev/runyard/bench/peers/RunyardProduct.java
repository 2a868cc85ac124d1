package dev.runyard.bench.peers;

import dev.runyard.bench.stack.Runs;
import dev.runyard.bench.stack.StackLaunch;
import dev.runyard.bench.stack.StandIn;
import dev.runyard.bench.stack.UpProcess;
import dev.runyard.cli.client.NewRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;

/// Runyard as `./runyard up` starts it, with runs of one kind.
record RunyardProduct(NewRun run) implements Product {

  /// Runs of the agent that works in the stack's own process.
  static RunyardProduct inProcess() {
    return new RunyardProduct(Runs.echo(1, 0));
  }

  /// Runs of an agent that is a process each time.
  static RunyardProduct processes() {
    return new RunyardProduct(StandIn.lines(1, 0, 0));
  }

  @Override
  public String name() {
    return "runyard";
  }

  /// The first start builds it.
  @Override
  public void install() throws IOException {
    new StackLaunch(false).start().close();
  }

  @Override
  public Started start(Path folder) throws IOException {
    UpProcess stack = new StackLaunch(false).start(Optional.of(StandIn.install(folder)));
    return new Stack(stack, new Runs(stack.uri()), run);
  }

  private record Stack(UpProcess stack, Runs runs, NewRun run) implements Started {
    @Override
    public double readyMillis() {
      return stack.readyMillis();
    }

    @Override
    public double megabytes() throws IOException {
      return stack.stackMegabytes() + stack.childrenMegabytes();
    }

    @Override
    public Work work() throws InterruptedException {
      Runs.Timing timing = runs.run(run);
      return new Work(OptionalDouble.of(timing.acceptedMillis()), timing.terminalMillis());
    }

    @Override
    public void close() throws IOException {
      runs.close();
      stack.close();
    }
  }
}
