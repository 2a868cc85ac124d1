package dev.runyard.bench;

import dev.runyard.bench.big.BigSection;
import dev.runyard.bench.cost.CostSection;
import dev.runyard.bench.cost.JobCostSection;
import dev.runyard.bench.fairness.FairnessSection;
import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.figure.Figures;
import dev.runyard.bench.files.FilesSection;
import dev.runyard.bench.handler.HandlerSection;
import dev.runyard.bench.kills.KillsSection;
import dev.runyard.bench.model.ModelSection;
import dev.runyard.bench.peers.PeersSection;
import dev.runyard.bench.scale.ScaleSection;
import dev.runyard.bench.scenario.ScenarioSection;
import dev.runyard.bench.section.AgentSection;
import dev.runyard.bench.section.CloneSection;
import dev.runyard.bench.section.EndSection;
import dev.runyard.bench.section.EventsSection;
import dev.runyard.bench.section.JobSection;
import dev.runyard.bench.section.LineSection;
import dev.runyard.bench.section.Section;
import dev.runyard.bench.section.SubmitSection;
import dev.runyard.bench.section.UpSection;
import dev.runyard.bench.section.WebhookSection;
import dev.runyard.bench.session.SessionSection;
import dev.runyard.bench.stack.StackLaunch;
import dev.runyard.bench.sweep.SweepSection;
import dev.runyard.bench.viewers.ViewersSection;
import dev.runyard.bench.walls.WallsSection;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "bench/run",
    mixinStandardHelpOptions = true,
    description = "Measure the whole system on this machine and print figures.")
public final class BenchCommand implements Callable<Integer> {

  /// What can be measured, in the order it is done.
  public enum Part {
    UP,
    SUBMIT,
    JOB,
    JOB_COST,
    SESSION,
    END,
    WEBHOOK,
    LINE,
    EVENTS,
    CLONE,
    CODEX,
    CLAUDE_CODE,
    PI,
    MODEL,
    HANDLER,
    SCENARIO,
    VIEWERS,
    WALLS,
    BIG,
    FILES,
    SCALE,
    SWEEP,
    FAIRNESS,
    COST,
    PEERS
  }

  @Parameters(
      paramLabel = "PART",
      description =
          "Of: ${COMPLETION-CANDIDATES}. Default: all but PEERS, which installs others, JOB_COST and"
              + " SESSION.")
  private List<Part> parts =
      List.copyOf(EnumSet.complementOf(EnumSet.of(Part.PEERS, Part.JOB_COST, Part.SESSION)));

  @Option(names = "--skip", paramLabel = "PART", split = ",", description = "Leave these out.")
  private Set<Part> skipped = EnumSet.noneOf(Part.class);

  @Option(names = "--json", paramLabel = "FILE", description = "Also write the figures here.")
  private @Nullable Path json;

  @Option(
      names = "--emulated",
      description = "Measure stacks on emulators of the AWS services; COST always does.")
  private boolean emulated;

  @Option(
      names = "--isolation",
      paramLabel = "LEVEL",
      description = "How the stacks keep runs apart, as up has it. WALLS wants uid unless told.")
  private @Nullable String isolation;

  @Option(
      names = "--shape",
      paramLabel = "SHAPE",
      description = "How COST spreads a run's events: ${COMPLETION-CANDIDATES}. Default: STEPS.")
  private CostSection.Shape shape = CostSection.Shape.STEPS;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description = "How long the runs of COST are, at 50 events a minute. Default: 10.")
  private int minutes = 10;

  @Option(
      names = "--webhook",
      description =
          "Also have a server told of the end of each run of COST, and say what that adds.")
  private boolean webhook;

  @Option(names = "--bus", description = "The same with a bus of EventBridge.")
  private boolean bus;

  @Option(
      names = "--events",
      paramLabel = "N",
      description = "How many events the folder of BIG has. Default: 10000000.")
  private int events = 10_000_000;

  @Option(
      names = "--items",
      paramLabel = "N",
      description = "How many items the jobs of JOB and JOB_COST have. Default: 10000.")
  private int items = 10_000;

  @Option(
      names = "--turns",
      paramLabel = "N",
      description = "How many turns the session of SESSION has. Default: 1000.")
  private int turns = 1_000;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description =
          "How many runs came after them, and how many are open for SWEEP. Default: 100000.")
  private int runs = 100_000;

  @Option(
      names = "--kills",
      paramLabel = "N",
      description =
          "How often the stack of JOB is killed; then it counts what became of the items.")
  private int kills;

  @Option(
      names = "--runs-per-day",
      paramLabel = "N",
      description = "How many runs SCALE has in a day. Default: 1000000.")
  private double runsPerDay = 1e6;

  @Override
  public Integer call() throws Exception {
    List<Figure> all = new ArrayList<>();
    List<String> broken = new ArrayList<>();
    for (Part part : parts) {
      if (!skipped.contains(part)) {
        Section section = section(part);
        List<Figure> figures = new ArrayList<>(List.of(load(part)));
        figures.addAll(section.measure());
        broken.addAll(section.broken());
        figures.stream().map(Figures::line).forEach(System.out::println);
        all.addAll(figures);
      }
    }
    if (json != null) {
      Figures.save(json, all);
    }
    broken.forEach(System.err::println);
    return broken.isEmpty() ? 0 : 1;
  }

  /// How busy the machine was with other work when a part began.
  private static Figure load(Part part) {
    var machine = ManagementFactory.getOperatingSystemMXBean();
    return new Figure(
        part.name().toLowerCase(Locale.ROOT),
        "load average of the minute before",
        machine.getSystemLoadAverage(),
        "",
        machine.getAvailableProcessors() + " processors");
  }

  private Section section(Part part) {
    StackLaunch launch =
        new StackLaunch(
            emulated, isolation == null ? List.of() : List.of("--isolation", isolation));
    return switch (part) {
      case UP -> new UpSection(launch);
      case SUBMIT -> new SubmitSection(launch);
      case JOB ->
          kills > 0 ? new KillsSection(launch, items, kills) : new JobSection(launch, items);
      case JOB_COST -> new JobCostSection(items);
      case SESSION -> new SessionSection(launch, turns, runs);
      case END -> new EndSection(launch);
      case WEBHOOK -> new WebhookSection(launch);
      case LINE -> new LineSection(launch);
      case EVENTS -> new EventsSection(launch);
      case CLONE -> new CloneSection(launch);
      case CODEX, CLAUDE_CODE, PI -> new AgentSection(part.name().toLowerCase(Locale.ROOT), launch);
      case MODEL -> new ModelSection();
      case HANDLER -> new HandlerSection();
      case SCENARIO -> new ScenarioSection(launch);
      case VIEWERS -> new ViewersSection(launch);
      case WALLS -> new WallsSection(launch);
      case BIG -> new BigSection(launch, events);
      case FILES -> new FilesSection();
      case FAIRNESS -> new FairnessSection();
      case SCALE -> new ScaleSection(runsPerDay);
      case SWEEP -> new SweepSection(runs);
      case COST -> new CostSection(shape, minutes, new CostSection.Told(webhook, bus));
      case PEERS -> new PeersSection();
    };
  }
}
