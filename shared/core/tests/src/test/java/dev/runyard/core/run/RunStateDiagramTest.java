package dev.runyard.core.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.SourceFiles;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.request.RetryPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Compares the diagram in the documentation of [RunState] with where the rules lead from every
/// state.
final class RunStateDiagramTest {
  private static final Path SOURCE =
      SourceFiles.at("shared/core/src/main/java/dev/runyard/core/run/RunState.java");

  @Test
  void drawsEveryArrowAndNoOther() throws IOException {
    Map<String, Set<String>> seen = new TreeMap<>();
    for (RetryPolicy retry : List.of(RetryPolicy.NEVER, new RetryPolicy(3, List.of("*"), 5))) {
      for (RunState from : new SampleStates(retry).all().values()) {
        for (RunCommand command : commands()) {
          String to = after(from, command).getClass().getSimpleName();
          if (!to.equals(from.getClass().getSimpleName())) {
            seen.computeIfAbsent(from.getClass().getSimpleName(), _ -> new TreeSet<>()).add(to);
          }
        }
      }
    }

    assertEquals(seen, drawn());
  }

  private static Map<String, Set<String>> drawn() throws IOException {
    return Files.readString(SOURCE)
        .lines()
        .filter(line -> line.startsWith("///") && line.contains("→"))
        .map(line -> line.substring("///".length()).split("→"))
        .collect(
            Collectors.toMap(
                arrow -> arrow[0].strip(),
                arrow -> new TreeSet<>(Arrays.asList(arrow[1].strip().split(", "))),
                (_, _) -> {
                  throw new AssertionError("a state is drawn twice");
                },
                TreeMap::new));
  }

  private static RunState after(RunState from, RunCommand command) {
    return RunRules.decide(from, command) instanceof Decision.Append append
        ? SampleStates.then(from, append.events().toArray(RunEvent[]::new))
        : from;
  }

  /// All commands to a run, soon and much later.
  private static List<RunCommand> commands() {
    List<RunCommand> commands = new ArrayList<>();
    commands.add(new RunCommand.Submit(SampleStates.request(RetryPolicy.NEVER)));
    commands.add(new RunCommand.Cancel("changed my mind"));
    RunEvent paused = new RunEvent.TaskPaused(1, "attempt-1", "awaiting");
    commands.add(new RunCommand.Report("attempt-1", List.of(paused)));
    for (long seconds : List.of(0L, 60L, 3_600L, (long) Limits.RUN_SECONDS_MAX * 2)) {
      Instant now = SampleStates.CLAIMED.plusSeconds(seconds);
      commands.add(new RunCommand.Claim("attempt-9", "runner-9", "message-1", now));
      commands.add(new RunCommand.Advance(now));
      commands.add(new RunCommand.Undelivered(now));
      commands.add(
          new RunCommand.Block("no_image", SampleStates.FAILURE, SampleStates.START, true, now));
    }
    return commands;
  }
}
