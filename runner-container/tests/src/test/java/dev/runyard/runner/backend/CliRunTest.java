package dev.runyard.runner.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.attempt.AgentHandle;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.needs.Program;
import dev.runyard.runner.process.AgentCommand;
import dev.runyard.runner.process.LineReader;
import dev.runyard.runner.process.LiveProcesses;
import dev.runyard.runner.process.RunMark;
import dev.runyard.runner.process.Stdin;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CliRunTest {
  private static final Failure STUCK = Failure.backend("stuck", "The agent waits for ever.");
  private static final Failure FAILED = Failure.backend("agent_failed", "The agent failed.");

  @TempDir private Path directory;
  private final RunMark mark = new RunMark(UUID.randomUUID().toString(), "1");
  private final Lines dialect = new Lines();
  private final List<AgentRun> started = new ArrayList<>();

  @AfterEach
  void leavesNothingBehind() {
    started.forEach(AgentRun::stop);
  }

  @Test
  void reportsEveryLineAndTheExit() {
    Signals told = told("echo one; printf 'two\\n\\nfour'; exit 0");

    assertEquals(List.of("one", "two", "", "four"), dialect.lines);
    assertEquals("onetwofour", told.text());
    assertEquals(Optional.of(new Attempt.Exit(0, null)), told.end().exit());
    assertEquals(Optional.empty(), told.end().failure());
    assertEquals(0, told.end().processesLeft());
  }

  @Test
  void readsLinesThatEndWithCarriageReturns() {
    told("printf 'one\\r\\ntwo\\r\\n'");

    assertEquals(List.of("one", "two"), dialect.lines);
  }

  @Test
  void warnsOnceOfBytesThatAreNotUtf8() {
    Signals told = told("printf 'a\\377b\\n\\376\\nfine\\n'");

    assertEquals(List.of("a\ufffdb", "\ufffd", "fine"), dialect.lines);
    assertEquals(List.of("invalid_utf8"), warnings(told));
  }

  @Test
  void saysThatALineWasTooLongAndContinues() {
    Signals told = told("head -c 1100000 /dev/zero | tr '\\0' a; echo; echo after");

    assertEquals(
        List.of(
            new RunEvent.OutputTruncated("line", 1_100_000, LineReader.LINE_BYTES_MAX),
            new RunEvent.ModelDelta("after")),
        told.events());
    assertEquals(List.of("after"), dialect.lines);
  }

  @Test
  void judgesTheExitByMeaning() {
    Signals told = told("echo said; echo complaint >&2; exit 3");

    assertEquals(Optional.of(new Attempt.Exit(3, null)), told.end().exit());
    assertEquals(Optional.of(FAILED), told.end().failure());
    assertEquals("complaint\n", dialect.stderr);
    assertEquals(new RunEvent.RuntimeError(FAILED.code(), "end"), told.events().getLast());
  }

  @Test
  void reportsTheSignalThatEndedIt() {
    Signals told = told("kill -9 $$");

    assertEquals(Optional.of(new Attempt.Exit(null, 9)), told.end().exit());
    assertEquals(Optional.of(FAILED), told.end().failure());
  }

  @Test
  void endsWhatTheAgentLeftBehind() {
    Signals told = told("sleep 300 & echo $!; exit 0");

    assertFalse(alive(dialect.lines.getFirst()));
    assertEquals(Optional.of(new Attempt.Exit(0, null)), told.end().exit());
    assertEquals(0, told.end().processesLeft());
  }

  @Test
  void endsTheWholeTreeWhenItIsStopped() {
    AgentRun run = start("sleep 300 & echo $!; echo $$; wait; exit 0");
    String child = text(Signals.next(run));
    String parent = text(Signals.next(run));

    run.stop();
    Signals told = Signals.of(run);

    assertFalse(alive(child));
    assertFalse(alive(parent));
    assertEquals(Optional.of(new Attempt.Exit(null, 15)), told.end().exit());
    assertTrue(told.events().stream().noneMatch(RunEvent.RuntimeError.class::isInstance));
  }

  /// Somebody else may soon have its run.
  @Test
  void killsTheWholeTreeWithoutAskingItWhereItMustEndAtOnce() {
    AgentRun run = start("trap 'exit 7' TERM; sleep 300 & echo $!; echo $$; wait");
    String child = text(Signals.next(run));
    String parent = text(Signals.next(run));

    run.stop(AgentHandle.Stop.AT_ONCE);
    Signals told = Signals.of(run);

    assertFalse(alive(child));
    assertFalse(alive(parent));
    assertEquals(Optional.of(new Attempt.Exit(null, 9)), told.end().exit());
  }

  @Test
  void givesUpWhenItsDialectDoes() {
    Signals told = told("echo first; echo stuck; sleep 300");

    assertEquals(Optional.of(STUCK), told.end().failure());
    assertEquals(Optional.of(new Attempt.Exit(null, 15)), told.end().exit());
    assertEquals("firststuck", told.text());
  }

  @Test
  void judgesAnAgentThatDoesNotLeaveByItsWork() {
    Signals told = sentAway("echo done; sleep 300", 0);

    assertEquals(Optional.of(new Attempt.Exit(null, 15)), told.end().exit());
    assertEquals(Optional.empty(), told.end().failure());
  }

  @Test
  void judgesAnAgentThatLeftByItselfByItsExit() {
    Signals told =
        sentAway(
            "agent=$$; (trap '' TERM; while kill -0 $agent; do :; done; echo done; sleep 300)&"
                + " exit 3",
            100);

    assertEquals(Optional.of(new Attempt.Exit(3, null)), told.end().exit());
    assertEquals(Optional.of(FAILED), told.end().failure());
  }

  private Signals sentAway(String script, int leaveMillis) {
    AgentCommand command =
        new AgentCommand(
            List.of("sh", "-c", script),
            directory,
            Map.of("PATH", "/usr/bin:/bin"),
            new Stdin.Open());
    InteractiveProtocol protocol = new SentAway(dialect, leaveMillis);
    AgentRun run = CliRun.start(Requests.context(directory), command, mark, protocol);
    started.add(run);
    return Signals.of(run);
  }

  @Test
  void endsAsNotStartedWhenThereIsNoProgram() {
    AgentCommand command =
        new AgentCommand(
            List.of("no-such-agent"), directory, Map.of("PATH", "/bin"), new Stdin.Closed());

    Signals told = Signals.of(start(command));

    assertEquals(1, told.events().size());
    assertEquals(Optional.empty(), told.end().exit());
    assertEquals(Failure.LAUNCH_FAILED, told.end().failure().orElseThrow().code());
  }

  @Test
  void endsAsNotStartedWhenTheProgramCannotBeExecuted() throws Exception {
    Path program = Program.write(directory.resolve("broken"), "#!/no/such/shell\n");
    AgentCommand command =
        new AgentCommand(List.of(program.toString()), directory, Map.of(), new Stdin.Closed());

    Signals told = Signals.of(start(command));

    assertEquals(Optional.empty(), told.end().exit());
    assertEquals(Failure.LAUNCH_FAILED, told.end().failure().orElseThrow().code());
  }

  @Test
  void endsTheAgentWhenItsDialectBreaks() {
    Signals told = told("echo $$; echo break; sleep 300");

    assertFalse(alive(dialect.lines.getFirst()));
    assertTrue(told.end().failure().isPresent());
    assertEquals(0, told.end().processesLeft());
  }

  @Test
  void reportsAHundredThousandLines() {
    Signals told = told("seq 1 100000");

    assertEquals(100_000, told.events().size());
    assertEquals(
        IntStream.rangeClosed(1, 100_000).mapToObj(String::valueOf).collect(Collectors.joining()),
        told.text());
  }

  @Test
  void letsTheAgentWaitWhileNobodyTakes() {
    Path marker = directory.resolve("printed");
    AgentRun run = start("seq 1 300000; echo > printed");
    Signals.untilWaiting(thread("agent-" + mark.value()));
    assertFalse(Files.exists(marker));

    Signals told = Signals.of(run);

    assertEquals(300_000, told.events().size());
    assertTrue(Files.exists(marker));
  }

  private static Thread thread(String name) {
    Signals.until(() -> find(name).isPresent());
    return find(name).orElseThrow();
  }

  private static Optional<Thread> find(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(name))
        .findFirst();
  }

  private Signals told(String script) {
    return Signals.of(start(script));
  }

  private AgentRun start(String script) {
    return start(
        new AgentCommand(
            List.of("sh", "-c", script),
            directory,
            Map.of("PATH", "/usr/bin:/bin"),
            new Stdin.Closed()));
  }

  private AgentRun start(AgentCommand command) {
    AgentRun run = CliRun.start(Requests.context(directory), command, mark, dialect);
    started.add(run);
    return run;
  }

  private static boolean alive(String pid) {
    return LiveProcesses.contain(Long.parseLong(pid));
  }

  private static String text(RunEvent event) {
    return ((RunEvent.ModelDelta) event).text();
  }

  private static List<String> warnings(Signals told) {
    return told.events().stream()
        .filter(RunEvent.RuntimeWarning.class::isInstance)
        .map(event -> ((RunEvent.RuntimeWarning) event).code())
        .toList();
  }

  /// An agent that is to leave when it has said something.
  private record SentAway(Lines lines, int leaveMillis) implements InteractiveProtocol {
    @Override
    public List<Effect> open() {
      return List.of();
    }

    @Override
    public List<Effect> line(String line) {
      List<Effect> moves = new ArrayList<>(Effect.tell(lines.line(line)));
      moves.add(new Effect.Close(leaveMillis));
      return moves;
    }

    @Override
    public List<Effect.Prompt> input(AgentInput input) {
      return List.of();
    }

    @Override
    public List<Effect.Prompt> stop() {
      return List.of();
    }

    @Override
    public OutputParser.Ending end(Attempt.Exit exit, String stderr) {
      return lines.end(exit, stderr);
    }
  }

  /// Every line is a text; `stuck` is a reason to give up, and `break` a mistake.
  private static final class Lines implements OutputParser {
    private final List<String> lines = new ArrayList<>();
    private String stderr = "";

    @Override
    public List<RunEvent> line(String line) {
      if (line.equals("break")) {
        throw new IllegalStateException("a mistake of the dialect");
      }
      lines.add(line);
      return List.of(new RunEvent.ModelDelta(line));
    }

    @Override
    public Optional<Failure> giveUp() {
      return !lines.isEmpty() && lines.getLast().equals("stuck")
          ? Optional.of(STUCK)
          : Optional.empty();
    }

    @Override
    public Ending end(Attempt.Exit exit, String stderrTail) {
      stderr = stderrTail;
      return Integer.valueOf(0).equals(exit.code())
          ? new Ending(List.of(), Optional.empty())
          : new Ending(
              List.of(new RunEvent.RuntimeError(FAILED.code(), "end")), Optional.of(FAILED));
    }
  }
}
