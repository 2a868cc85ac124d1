package dev.runyard.bench.section;

import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.stack.Runs;
import dev.runyard.bench.stack.StackLaunch;
import dev.runyard.bench.stack.UpProcess;
import dev.runyard.cli.client.ClientEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Events per second of one run, as an SSE client gets them, and what the processes grow by. The
/// client takes only an unbroken sequence.
public final class EventsSection implements Section {
  private static final int WARM_UP_EVENTS = 20_000;
  private static final int EVENTS = 100_000;
  private static final int ROUNDS = 3;

  private final StackLaunch launch;

  public EventsSection(StackLaunch launch) {
    this.launch = launch;
  }

  @Override
  public List<Figure> measure() throws Exception {
    List<Figure> figures = new ArrayList<>();
    try (UpProcess stack = launch.start();
        Runs runs = new Runs(stack.uri())) {
      take(runs, WARM_UP_EVENTS);
      memory(stack, figures, "before");
      for (int round = 1; round <= ROUNDS; round++) {
        Taken taken = take(runs, EVENTS);
        String note =
            "%,d events in %.1f s, %d missing"
                .formatted(taken.events, taken.seconds, EVENTS - taken.events);
        figures.add(new Figure("events", "one run", taken.perSecond(), "1/s", note));
        memory(stack, figures, "after round " + round);
      }
    }
    return figures;
  }

  private static Taken take(Runs runs, int events) throws InterruptedException {
    Taken taken = new Taken();
    runs.follow(runs.submit(Runs.echo(events, 0)), taken::take);
    return taken;
  }

  /// Emulated runners are processes of their own, others are in the stack's.
  private void memory(UpProcess stack, List<Figure> figures, String when) throws IOException {
    figures.add(
        new Figure("events", "memory of the stack " + when, stack.stackMegabytes(), "MB", ""));
    if (launch.emulated()) {
      figures.add(
          new Figure(
              "events", "memory of the runner " + when, stack.childrenMegabytes(), "MB", ""));
    }
  }

  /// What one client saw: text events, and the time from the first to the last of them.
  private static final class Taken {
    private int events;
    private long first;
    private double seconds;

    void take(ClientEvent event) {
      Runs.requireCompleted(event);
      if (event.type().equals("model.delta")) {
        first = events++ == 0 ? System.nanoTime() : first;
        seconds = (System.nanoTime() - first) / 1e9;
      }
    }

    double perSecond() {
      return events / seconds;
    }
  }
}
