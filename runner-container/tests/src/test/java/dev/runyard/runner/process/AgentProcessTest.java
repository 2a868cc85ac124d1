package dev.runyard.runner.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.needs.Program;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AgentProcessTest {

  @TempDir private Path directory;
  private AgentRig rig;

  @BeforeEach
  void open() {
    rig = new AgentRig(directory);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void handsOverLinesAndTheExitStatus() throws IOException {
    AgentProcess agent = rig.shell("echo one; printf two; exit 3");

    assertEquals(List.of("one", "two"), AgentRig.lines(agent));
    assertEquals(
        new ProcessEnd(new Termination.Exited(3), Reaping.NOTHING_FOUND), AgentRig.end(agent));
  }

  @Test
  void leadsAGroupAndASessionOfItsOwn() throws IOException {
    AgentProcess agent = rig.shell("read stat < /proc/$$/stat; echo \"$stat\"; read wait");

    String[] stat = AgentRig.line(agent).split(" ", 7);
    String pid = Long.toString(agent.pid());
    assertEquals(List.of(pid, pid, pid), List.of(stat[0], stat[4], stat[5]));
  }

  @Test
  void getsTheGivenEnvironmentAndTheMarkAndNothingElse() throws IOException {
    RunMark mark = AgentRig.freshMark();
    Map<String, String> environment = Map.of("PATH", "/usr/bin:/bin", "SAY", "a b\n$(id)");
    AgentCommand command =
        new AgentCommand(List.of("env", "-0"), directory, environment, new Stdin.Closed());

    String printed = String.join("\n", AgentRig.lines(rig.start(command, mark)));

    assertEquals(
        Set.of("PATH=/usr/bin:/bin", "SAY=a b\n$(id)", "RUNYARD_RUN=" + mark.value()),
        Set.of(printed.split("\0")));
  }

  @Test
  void passesArgumentsThroughNoShell() throws IOException {
    AgentProcess agent =
        rig.start(rig.command("printf", "%s|", "a b", "$(id)", "; ls", "-c", "*", ""));

    assertEquals("a b|$(id)|; ls|-c|*||", AgentRig.line(agent));
  }

  @Test
  void runsInTheWorkingDirectory() throws IOException {
    assertEquals(directory.toRealPath().toString(), AgentRig.line(rig.start(rig.command("pwd"))));
  }

  @Test
  void readsEndOfInputAtOnceWhenThereIsNone() {
    assertEquals(
        new Termination.Exited(0), AgentRig.end(rig.start(rig.command("cat"))).termination());
  }

  @Test
  void readsTheGivenInput() throws IOException {
    String input = "é".repeat(500_000);

    assertEquals("1000000", AgentRig.line(rig.start(with(Stdin.text(input), "wc", "-c"))));
  }

  @Test
  void mayExitWithoutReadingItsInput() {
    AgentProcess agent = rig.start(with(Stdin.text("x".repeat(1_000_000)), "true"));

    assertEquals(new Termination.Exited(0), AgentRig.end(agent).termination());
  }

  @Test
  void canBeTalkedToWhileItsInputIsOpen() throws IOException {
    AgentProcess agent = rig.start(with(new Stdin.Open(), "cat"));
    try (OutputStream input = agent.stdin()) {
      for (String word : List.of("first", "second")) {
        input.write((word + "\n").getBytes(StandardCharsets.UTF_8));
        input.flush();
        assertEquals(word, AgentRig.line(agent));
      }
    }
    assertEquals(new Termination.Exited(0), AgentRig.end(agent).termination());
  }

  @Test
  void distinguishesASignalFromAnExit() {
    assertEquals(new Termination.Signalled(9), AgentRig.end(rig.shell("kill -9 $$")).termination());
  }

  @ParameterizedTest
  @CsvSource({"0, false", "127, false", "128, false", "129, true", "192, true", "193, false"})
  void readsStatusesThatASignalWouldGiveAsSignals(int value, boolean signal) {
    assertEquals(
        signal ? new Termination.Signalled(value - 128) : new Termination.Exited(value),
        Termination.ofExitValue(value));
  }

  @Test
  void keepsTheEndOfStandardErrorOnly() {
    AgentProcess agent = rig.shell("head -c 1000000 /dev/zero | tr '\\0' x >&2; echo END >&2");

    AgentRig.end(agent);
    assertEquals(AgentProcess.STDERR_TAIL_BYTES_MAX, agent.stderrTail().length());
    assertTrue(agent.stderrTail().endsWith("xEND\n"));
  }

  @Test
  void isNotStartedWithoutAProgram() {
    assertEquals(missing("no-such-agent"), reason("no-such-agent"));
    assertEquals(missing("/no/such/agent"), reason("/no/such/agent"));
    assertEquals(missing(directory.toString()), reason(directory.toString()));
  }

  @Test
  void isNotStartedFromARelativeEntryOfThePath() throws IOException {
    script("agent", "#!/bin/sh\necho planted\n");
    AgentCommand command =
        new AgentCommand(
            List.of("agent"), directory, Map.of("PATH", ".::/usr/bin"), new Stdin.Closed());

    assertEquals(missing("agent"), rig.refused(command).reason());
  }

  @Test
  void isNotStartedInAMissingDirectory() {
    AgentCommand command =
        new AgentCommand(
            List.of("true"),
            directory.resolve("missing"),
            AgentRig.ENVIRONMENT,
            new Stdin.Closed());

    assertEquals("the working directory does not exist", rig.refused(command).reason());
  }

  @Test
  void isNotStartedWithAnArgumentTheSystemHasNoRoomFor() {
    String reason = reason("true", "x".repeat(131_072));

    assertTrue(reason.startsWith("the system refused: "), reason);
    assertTrue(reason.contains("Argument list too long"), reason);
  }

  @Test
  void isNotStartedWithCharactersThatWouldBeLost() throws IOException {
    assertTrue(reason("true", "lone \ud800").contains("cannot express"));

    AgentCommand command = rig.command("printf", "é€𝄞");
    switch (ProcessLauncher.onThisMachine().start(command, AgentRig.freshMark())) {
      case AgentProcess agent -> assertEquals("é€𝄞", AgentRig.line(agent));
      case Termination.NotStarted refusal ->
          assertTrue(refusal.reason().contains("cannot express"));
    }
  }

  @Test
  void isNotStartedWhenTheKernelRefusesTheProgram() throws IOException {
    Path agent = script("agent", "#!/no/such/interpreter\n");

    assertEquals(
        new Termination.NotStarted("the program cannot be executed: No such file or directory"),
        AgentRig.end(rig.start(rig.command(agent.toString()))).termination());
  }

  @Test
  void mayExitWithTheStatusesOfARefusedProgram() {
    assertEquals(new Termination.Exited(127), AgentRig.end(rig.shell("exit 127")).termination());
    assertEquals(
        new Termination.Exited(127),
        AgentRig.end(rig.shell("setsid no-such-tool & wait $!")).termination());
  }

  @Test
  void showsNeitherArgumentsNorVariables() {
    AgentCommand command =
        new AgentCommand(
            List.of("agent", "prompt"), directory, Map.of("KEY", "secret"), new Stdin.Closed());

    assertEquals("AgentCommand[agent, 1 arguments, 1 variables]", command.toString());
    assertFalse(command.toString().contains("secret"));
  }

  @Test
  void refusesCommandsThatNoSystemCouldRun() {
    for (List<String> argv : List.of(List.<String>of(), List.of(""), List.of("a", "b\0c"))) {
      assertThrows(IllegalArgumentException.class, () -> command(argv, Map.of()));
    }
    for (String name : List.of("", "A=B", "A\0", RunMark.VARIABLE)) {
      assertThrows(
          IllegalArgumentException.class, () -> command(List.of("true"), Map.of(name, "x")));
    }
    assertThrows(IllegalArgumentException.class, () -> new RunMark("../up", "1"));
  }

  private AgentCommand command(List<String> argv, Map<String, String> environment) {
    return new AgentCommand(argv, directory, environment, new Stdin.Closed());
  }

  private AgentCommand with(Stdin stdin, String... argv) {
    return new AgentCommand(List.of(argv), directory, AgentRig.ENVIRONMENT, stdin);
  }

  private static String missing(String program) {
    return "no such program: " + program + "; install it, or name its path in the agents file";
  }

  private String reason(String... argv) {
    return rig.refused(rig.command(argv)).reason();
  }

  private Path script(String name, String text) throws IOException {
    return Program.write(directory.resolve(name), text);
  }
}
