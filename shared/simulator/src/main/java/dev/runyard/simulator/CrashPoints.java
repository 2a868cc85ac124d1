package dev.runyard.simulator;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// Plays a scenario once for each of its port calls and each thing that can happen there: the
/// caller dies before it, dies after it, or never hears the answer.
public final class CrashPoints {
  private final Scenario scenario;
  private final Defect defect;

  private CrashPoints(Scenario scenario, Defect defect) {
    this.scenario = scenario;
    this.defect = defect;
  }

  /// What happens at one port call.
  private record Point(Faults.Strike strike, long call) {}

  /// What came of one history.
  ///
  /// @param calls of ports while faults were on
  private record Played(long calls, List<Violation> violations) {}

  /// What came of one scenario.
  ///
  /// @param points histories that were played
  /// @param violations what was wrong in any of them
  public record Report(Scenario scenario, long points, List<Violation> violations) {
    public Report {
      violations = List.copyOf(violations);
    }
  }

  public static Report of(Scenario scenario) {
    CrashPoints points = new CrashPoints(scenario, Defect.NONE);
    List<Point> all = points.all();
    return new Report(scenario, all.size(), points.violations(all).toList());
  }

  /// What goes wrong with a defect, somewhere.
  public static Optional<Violation> any(Scenario scenario, Defect defect) {
    CrashPoints points = new CrashPoints(scenario, defect);
    return points.violations(points.all()).findAny();
  }

  /// Also the one at which nothing happens.
  private List<Point> all() {
    Point none = new Point(Faults.Strike.NOTHING, 0);
    long calls = play(none).calls();
    return Stream.concat(
            Stream.of(none),
            EnumSet.complementOf(EnumSet.of(Faults.Strike.NOTHING)).stream()
                .flatMap(
                    strike ->
                        LongStream.rangeClosed(1, calls).mapToObj(call -> new Point(strike, call))))
        .toList();
  }

  private Stream<Violation> violations(List<Point> points) {
    return points.parallelStream().flatMap(point -> play(point).violations().stream());
  }

  private Played play(Point point) {
    ScenarioHistory history =
        new ScenarioHistory(
            scenario,
            defect,
            (random, timeline) -> new Faults(random, timeline, point.call(), point.strike()));
    scenario.begin(history.system());
    history.play(scenario.faulty());
    long calls = history.system().faults().callsWhileOn();
    return new Played(
        calls, history.check().stream().map(violation -> at(point, violation)).toList());
  }

  private Violation at(Point point, Violation violation) {
    return new Violation(
        violation.invariant(),
        "%s %s call %d: %s".formatted(scenario, point.strike(), point.call(), violation.detail()));
  }
}
