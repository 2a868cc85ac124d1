package dev.runyard.runner.backend.javaagent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.agent.host.InstalledAgent;
import dev.runyard.core.agent.AgentCard;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.Requests;
import dev.runyard.runner.backend.Signals;
import dev.runyard.runner.process.LiveProcesses;
import dev.runyard.testkit.threads.TestPatience;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What agents do to their process stays in it, and the run says what happened.
final class HostileAgentsTest {
  private static final int LONG_SECONDS = Math.toIntExact(TestPatience.LONG_SECONDS);
  private static final Patience SHORT_START = new Patience(1, 0, 0);

  /// For agents that do not end by themselves.
  private static final Patience SHORT_END = new Patience(LONG_SECONDS, 0, 0);

  private static final Patience LONG = new Patience(LONG_SECONDS, 0, LONG_SECONDS);
  private static final Set<String> SHELL_VARIABLES = Set.of("PWD", "OLDPWD", "SHLVL", "_");

  @TempDir private Path directory;

  @Test
  void sayHowTheProcessExited() {
    assertEquals(exited(7), end(Hostile.EXITS, new Attempt.Exit(7, null)));
    assertEquals(exited(0), end(Hostile.EXITS_WELL, new Attempt.Exit(0, null)));
    assertEquals(exited(8), end(Hostile.HALTS, new Attempt.Exit(8, null)));
  }

  @ParameterizedTest
  @ValueSource(strings = {Hostile.KILLS_ITSELF, Hostile.DIES_WRITING})
  void sayWhichSignalKilledTheProcess(String work) {
    Failure failure = end(work, new Attempt.Exit(null, 9));

    assertEquals("agent_killed", failure.code());
    assertTrue(failure.message().startsWith("Signal 9 ended the agent's process."));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        Hostile.PRINTS,
        Hostile.LEAVES_THREADS,
        Hostile.LEAVES_TALKERS,
        Hostile.LEAVES_PROGRAMS,
        Hostile.LETS_A_PROGRAM_PRINT
      })
  void doNoHarmToTheirRun(String work) {
    AgentRunRequest request = request(work);
    Signals told = Signals.of(start(request));

    assertTrue(told.text().startsWith("begun"), told.text());
    assertEquals(Optional.empty(), told.end().failure());
    assertEquals(Optional.of(new Attempt.Exit(0, null)), told.end().exit());
    assertEquals(0, told.end().processesLeft());
    assertEquals(List.of(), LiveProcesses.of(request.runId()));
  }

  @Test
  void haveNoStandardInput() {
    assertEquals("begun-1", Signals.of(start(request(Hostile.READS))).text());
  }

  @ParameterizedTest
  @ValueSource(strings = {Hostile.WRITES_GARBAGE, Hostile.WRITES_A_LONG_LINE, Hostile.FORGES})
  void areEndedWhenTheyWriteToTheChannel(String work) {
    Signals told = Signals.of(start(request(work), SHORT_END));

    assertEquals(Optional.of(JavaAgentOutcome.BROKE_PROTOCOL), told.end().failure());
    assertEquals(
        List.of(new RunEvent.ModelDelta("begun")),
        told.events().stream().filter(RunEvent.ModelDelta.class::isInstance).toList());
    assertEquals(0, told.end().processesLeft());
  }

  @ParameterizedTest
  @ValueSource(strings = {Hostile.SPINS, Hostile.DEADLOCKS})
  void areEndedWhenTheyIgnoreThatTheyMustEnd(String work) {
    AgentRunRequest request = request(work);
    AgentRun run = start(request);
    assertEquals(new RunEvent.ModelDelta("begun"), Signals.next(run));

    run.stop();

    Signals told = Signals.of(run);
    assertEquals(Optional.of(JavaAgentOutcome.STOPPED), told.end().failure());
    assertEquals(0, told.end().processesLeft());
    assertEquals(List.of(), LiveProcesses.of(request.runId()));
  }

  @ParameterizedTest
  @ValueSource(strings = {Hostile.THROWS_ERROR, Hostile.OVERFLOWS})
  void areReportedByTheClassOfWhatTheyThrow(String work) {
    assertEquals(
        Failure.backend("agent_failed", "The agent threw StackOverflowError."),
        end(work, new Attempt.Exit(1, null)));
  }

  @Test
  void haveAsMuchMemoryAsTheirProcessMayHave() {
    assertEquals(JavaAgentOutcome.OUT_OF_MEMORY, end(Hostile.HOARDS, new Attempt.Exit(3, null)));
  }

  @Test
  void seeNothingOfTheRunner() {
    String[] seen = Signals.of(start(request(Hostile.SHOWS_SURROUNDINGS))).text().split(";", -1);

    assertFalse(seen[1].contains("awssdk"), seen[1]);
    assertEquals(
        List.of("GIT_CONFIG_PARAMETERS", "HOME", "PATH", "RUNYARD_RUN", "TMPDIR"),
        variables(seen[2]));
    assertEquals(directory.toString(), seen[3]);
  }

  @Test
  void areGivenUpWhenTheyDoNotStart() {
    InstalledAgent agent =
        new InstalledAgent(
            Unborn.class.getName(),
            Unborn.NAME,
            "",
            AgentCard.ANYTHING,
            List.of(AgentJar.jar(Unborn.class, directory)));
    Signals told =
        Signals.of(
            new JavaAgentBackend(agent, SHORT_START)
                .start(
                    Requests.request(Unborn.NAME, "go", Map.of(), directory),
                    Requests.context(directory)));

    assertEquals("agent_not_started", told.end().failure().orElseThrow().code());
    assertEquals(List.of(), told.events().stream().filter(e -> !error(e)).toList());
  }

  @Test
  void failIfTheirClassIsNotInTheJar() {
    InstalledAgent agent =
        new InstalledAgent("no.such.Agent", "nobody", "", AgentCard.ANYTHING, List.of());
    Signals told =
        Signals.of(
            new JavaAgentBackend(agent)
                .start(
                    Requests.request("nobody", "go", Map.of(), directory),
                    Requests.context(directory)));

    assertEquals(
        Failure.backend("agent_failed", "The agent threw ClassNotFoundException."),
        told.end().failure().orElseThrow());
  }

  private static boolean error(RunEvent event) {
    return event instanceof RunEvent.RuntimeError;
  }

  /// The names of a set's text, without those that the shell adds.
  private static List<String> variables(String set) {
    return Stream.of(set.substring(1, set.length() - 1).split(", ", -1))
        .filter(name -> !SHELL_VARIABLES.contains(name))
        .sorted()
        .toList();
  }

  private static Failure exited(int code) {
    return Failure.backend(
        "agent_exited",
        "The process of hostile ended with exit code %d before the agent had. An agent ends by returning; it must not call System.exit."
            .formatted(code));
  }

  private Failure end(String work, Attempt.Exit exit) {
    AgentRunRequest request = request(work);
    Signals told = Signals.of(start(request));
    assertEquals(Optional.of(exit), told.end().exit());
    assertEquals(0, told.end().processesLeft());
    assertEquals(List.of(), LiveProcesses.of(request.runId()));
    return told.end().failure().orElseThrow();
  }

  private AgentRunRequest request(String work) {
    return Requests.request("hostile", work, Map.of(), directory);
  }

  private AgentRun start(AgentRunRequest request) {
    return start(request, LONG);
  }

  private AgentRun start(AgentRunRequest request, Patience patience) {
    return new JavaAgentBackend(AgentJar.of(new Hostile(), directory), patience)
        .start(request, Requests.context(directory));
  }
}
