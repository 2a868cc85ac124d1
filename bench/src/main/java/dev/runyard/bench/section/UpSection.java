package dev.runyard.bench.section;

import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.figure.Samples;
import dev.runyard.bench.stack.StackLaunch;
import dev.runyard.bench.stack.UpProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// From `./runyard up` to its `ready` line.
public final class UpSection implements Section {
  private static final int STARTS = 7;

  private final StackLaunch launch;

  public UpSection(StackLaunch launch) {
    this.launch = launch;
  }

  @Override
  public List<Figure> measure() throws IOException {
    List<Double> millis = new ArrayList<>();
    launch.start().close();
    for (int i = 0; i < STARTS; i++) {
      try (UpProcess stack = launch.start()) {
        millis.add(stack.readyMillis());
      }
    }
    Samples samples = Samples.of(millis);
    String note = STARTS + " starts after one that may have built";
    return List.of(
        new Figure("up", "start to ready, median", samples.median(), "ms", note),
        new Figure("up", "start to ready, longest", samples.percentile(100), "ms", note));
  }
}
