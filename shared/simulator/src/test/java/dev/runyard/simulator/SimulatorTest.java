package dev.runyard.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class SimulatorTest {
  /// Seeds of one run of the build; `-Drunyard.seeds=N` plays more, `-Drunyard.seed=N` plays one.
  private static final int SEEDS = Integer.getInteger("runyard.seeds", 5_000);

  /// Of so many histories at least one has an outage of the log, one of the queues, and one of the
  /// bucket.
  private static final int HISTORIES_OF_OUTAGE = 500;

  private static final Properties KNOWN = knownSeeds();

  @Test
  void holdsItsInvariantsInEveryHistory() {
    List<Simulation.Report> reports = play(seeds(), Defect.NONE);
    List<Simulation.Report> broken =
        reports.stream().filter(report -> !report.violations().isEmpty()).toList();
    broken.stream()
        .limit(5)
        .forEach(
            report ->
                System.out.printf(
                    "seed %d: %s%n  replay: %s%n",
                    report.seed(), report.violations(), report.replay()));
    System.out.printf(
        "simulator: %d seeds, %d runs, %d events, %d port calls, %d crashed runners, %d collisions,"
            + " %d duplicate messages, %d decisions, %d resumed runs, %d inputs; endings %s%n",
        reports.size(),
        reports.stream().mapToLong(Simulation.Report::runs).sum(),
        reports.stream().mapToLong(Simulation.Report::events).sum(),
        reports.stream().mapToLong(Simulation.Report::portCalls).sum(),
        reports.stream().mapToLong(Simulation.Report::crashes).sum(),
        reports.stream().mapToLong(Simulation.Report::collisions).sum(),
        reports.stream().mapToLong(Simulation.Report::duplicates).sum(),
        reports.stream().mapToLong(Simulation.Report::decisions).sum(),
        reports.stream().mapToLong(Simulation.Report::resumed).sum(),
        reports.stream().mapToLong(Simulation.Report::inputs).sum(),
        reports.stream()
            .flatMap(report -> report.endings().entrySet().stream())
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey, Map.Entry::getValue, Integer::sum, TreeMap::new)));
    assertEquals(
        List.of(),
        broken.stream().map(Simulation.Report::seed).toList(),
        "seeds of histories with violations");
    outages(reports);
  }

  /// Nothing was proved of an outage that was cut short, or that nobody noticed.
  private static void outages(List<Simulation.Report> reports) {
    Map<Fault, Long> outages =
        reports.stream()
            .flatMap(report -> report.outages().stream())
            .collect(Collectors.groupingBy(fault -> fault, TreeMap::new, Collectors.counting()));
    System.out.printf("simulator: histories with whole outages %s%n", outages);
    for (Fault store : List.of(Fault.LOG_OUTAGE, Fault.QUEUE_OUTAGE, Fault.BUCKET_OUTAGE)) {
      long of = outages.getOrDefault(store, 0L);
      assertTrue(of >= reports.size() / HISTORIES_OF_OUTAGE, store + " in " + of);
    }
  }

  @Test
  void playsTheSameHistoryFromTheSameSeed() {
    for (long seed = 1; seed <= 20; seed++) {
      assertEquals(Simulation.run(seed, Defect.NONE), Simulation.run(seed, Defect.NONE));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Defect.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"NONE", "REFUSED_RECORD_DROPPED"})
  void findsEachDefectWithinTheSeedsOfOneRun(Defect defect) {
    Simulation.Report found =
        found(known(defect), defect)
            .or(() -> found(LongStream.rangeClosed(1, SEEDS).parallel(), defect))
            .orElseThrow(() -> new AssertionError(defect + " was not found"));
    System.out.printf(
        "simulator: %s found with seed %d: %s%n",
        defect, found.seed(), found.violations().getFirst());
    assertTrue(found.seed() <= SEEDS);
  }

  private static Optional<Simulation.Report> found(LongStream seeds, Defect defect) {
    return seeds
        .filter(seed -> Simulation.shows(seed, defect))
        .mapToObj(seed -> Simulation.run(seed, defect))
        .filter(report -> !report.violations().isEmpty())
        .findAny();
  }

  /// The seed with which the defect was found before, if it is one of this run's.
  private static LongStream known(Defect defect) {
    return Stream.ofNullable(KNOWN.getProperty(defect.name()))
        .mapToLong(Long::parseLong)
        .filter(seed -> seed <= SEEDS);
  }

  private static Properties knownSeeds() {
    Properties seeds = new Properties();
    try (InputStream file = SimulatorTest.class.getResourceAsStream("defects.properties")) {
      seeds.load(Objects.requireNonNull(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return seeds;
  }

  private static LongStream seeds() {
    Long one = Long.getLong("runyard.seed");
    return one == null ? LongStream.rangeClosed(1, SEEDS) : LongStream.of(one);
  }

  private static List<Simulation.Report> play(LongStream seeds, Defect defect) {
    return seeds.parallel().mapToObj(seed -> Simulation.run(seed, defect)).toList();
  }
}
