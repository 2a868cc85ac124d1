package dev.runyard.cli.demo;

import dev.runyard.cli.client.ClientEvent;
import dev.runyard.cli.show.Times;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/// When a client saw the milestones of one run, counted from the submit.
public final class Timings {
  private final LongSupplier nanos;
  private final long start;
  private final Map<String, Long> millis = new LinkedHashMap<>();

  /// Starts counting. `nanos` is a clock that only moves forward.
  public Timings(LongSupplier nanos) {
    this.nanos = nanos;
    this.start = nanos.getAsLong();
  }

  public void accepted() {
    mark("accepted");
  }

  public void seen(ClientEvent event) {
    mark("first event");
    if (event.type().equals("process.started")) {
      mark("agent started");
    } else if (event.type().equals("model.delta") || event.type().equals("tool.started")) {
      mark("first output");
    }
    if (event.terminal()) {
      mark("terminal");
    }
  }

  /// The milestones in the order they came.
  public String text() {
    return millis.entrySet().stream()
        .map(milestone -> milestone.getKey() + " " + Times.seconds(milestone.getValue()))
        .collect(Collectors.joining(", "));
  }

  private void mark(String milestone) {
    millis.putIfAbsent(milestone, (nanos.getAsLong() - start) / 1_000_000);
  }
}
