package dev.runyard.bench.sweep;

import com.sun.management.OperatingSystemMXBean;
import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.section.Section;
import java.lang.management.ManagementFactory;
import java.util.List;

/// Sweeps of many open runs in memory, on one lane: what the visits take without the services.
public final class SweepSection implements Section {
  private static final String NAME = "sweep";
  private static final int WARM_UP = 10_000;

  private final int runs;

  /// @param runs how many are open
  public SweepSection(int runs) {
    this.runs = runs;
  }

  @Override
  public List<Figure> measure() {
    new ManyRuns(WARM_UP).sweep();
    ManyRuns open = new ManyRuns(runs);
    var process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long began = System.nanoTime();
    long cpuBefore = process.getProcessCpuTime();
    int visits = open.sweep();
    double cpuSeconds = (process.getProcessCpuTime() - cpuBefore) / 1e9;
    double seconds = (System.nanoTime() - began) / 1e9;
    String note = "%,d open runs at work, all due; one lane, in-memory ports".formatted(runs);
    return List.of(
        new Figure(NAME, "visits a second", visits / seconds, "1/s", note),
        new Figure(NAME, "processor time a visit", 1e3 * cpuSeconds / visits, "ms", note));
  }
}
