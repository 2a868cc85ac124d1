package dev.runyard.bench.viewers;

import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.figure.Samples;
import dev.runyard.bench.section.Section;
import dev.runyard.bench.stack.Runs;
import dev.runyard.bench.stack.StackLaunch;
import dev.runyard.bench.stack.UpProcess;
import java.util.ArrayList;
import java.util.List;

/// A thousand viewers of one run: how late they see an event, and what that takes of the stack's
/// processor time. It fails where one of them misses an event or sees one twice.
public final class ViewersSection implements Section {
  private static final String NAME = "viewers";
  private static final int VIEWERS = 1000;
  private static final int EVENTS = 400;
  private static final int INTERVAL_MILLIS = 50;
  private static final int WARM_UP_VIEWERS = 50;

  private final List<String> broken = new ArrayList<>();

  private final StackLaunch launch;

  public ViewersSection(StackLaunch launch) {
    this.launch = launch;
  }

  @Override
  public List<Figure> measure() throws Exception {
    List<Figure> figures = new ArrayList<>();
    try (UpProcess stack = launch.start();
        Runs runs = new Runs(stack.uri())) {
      play(stack, runs, WARM_UP_VIEWERS);
      for (int viewers : new int[] {1, VIEWERS / 10, VIEWERS}) {
        figures.addAll(play(stack, runs, viewers));
      }
    }
    return figures;
  }

  @Override
  public List<String> broken() {
    return List.copyOf(broken);
  }

  private List<Figure> play(UpProcess stack, Runs runs, int viewers) throws Exception {
    String runId = runs.submit(Runs.echo(EVENTS, INTERVAL_MILLIS));
    double before = stack.processorSeconds();
    List<Viewers.Seen> seen = new Viewers(stack.uri(), runId).follow(viewers);
    double spent = stack.processorSeconds() - before;
    long last = runs.get(runId).path("last_sequence").asLong();
    int whole = 0;
    for (Viewers.Seen one : seen) {
      String why = one.broken().isEmpty() && one.last() != last ? "ended early" : one.broken();
      if (why.isEmpty()) {
        whole++;
      } else {
        broken.add(
            "a viewer of %s saw %d of %d events: %s".formatted(runId, one.last(), last, why));
      }
    }
    String of = "%d viewers".formatted(viewers);
    Samples lags = Samples.of(seen.stream().flatMap(one -> one.lags().stream()).toList());
    List<Figure> figures = new ArrayList<>(Figure.ofMillis(NAME, "lag, " + of, lags, ""));
    figures.add(new Figure(NAME, "saw every event once, " + of, whole, "", last + " events"));
    figures.add(new Figure(NAME, "processor time of the stack, " + of, spent, "s", ""));
    return figures;
  }
}
