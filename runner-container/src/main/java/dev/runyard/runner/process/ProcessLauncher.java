package dev.runyard.runner.process;

import dev.runyard.runner.isolation.AgentUser;
import dev.runyard.runner.isolation.Cell;
import dev.runyard.runner.isolation.LateVariables;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Starts agents, each in its own process session and marked with its run, and in a cell that keeps
/// it apart.
///
/// `setsid` creates the session and then becomes the program, so the process id of the agent is
/// also the id of its group and session. Works on Linux only. Thread-safe.
public final class ProcessLauncher {

  private static final List<Path> SETSID =
      List.of(Path.of("/usr/bin/setsid"), Path.of("/bin/setsid"));

  private final ProcessTable table;
  private final Pacer pacer;
  private final Charset systemCharset;
  private final Optional<String> stack;
  private final Cell cell;

  ProcessLauncher(ProcessTable table, Pacer pacer, Charset systemCharset) {
    this(table, pacer, systemCharset, Optional.empty(), Cell.OPEN);
  }

  private ProcessLauncher(
      ProcessTable table, Pacer pacer, Charset systemCharset, Optional<String> stack, Cell cell) {
    this.table = table;
    this.pacer = pacer;
    this.systemCharset = systemCharset;
    this.stack = stack;
    this.cell = cell;
  }

  /// Starts agents on this machine.
  public static ProcessLauncher onThisMachine() {
    return here(Optional.empty());
  }

  /// Starts agents on this machine that are also marked with the stack their runner is a part of.
  public static ProcessLauncher ofStack(String mark) {
    return here(Optional.of(mark));
  }

  private static ProcessLauncher here(Optional<String> stack) {
    return new ProcessLauncher(
        new LinuxProcessTable(),
        Pacer.system(),
        Charset.forName(System.getProperty("sun.jnu.encoding")),
        stack,
        Cell.OPEN);
  }

  /// Starts the agents of one attempt in its cell.
  public ProcessLauncher in(Cell of) {
    return new ProcessLauncher(table, pacer, systemCharset, stack, of);
  }

  /// What surrounds the processes it starts.
  public Cell cell() {
    return cell;
  }

  /// Starts the command, or says why no process was started.
  public Launch start(AgentCommand command, RunMark mark) {
    if (!Files.isDirectory(command.workingDir())) {
      return new Termination.NotStarted("the working directory does not exist");
    }
    if (!encodable(command)) {
      return new Termination.NotStarted(
          "an argument or variable has characters that " + systemCharset + " cannot express");
    }
    Optional<Path> setsid = SETSID.stream().filter(Files::isExecutable).findFirst();
    if (setsid.isEmpty()) {
      return new Termination.NotStarted("this machine has no setsid");
    }
    Optional<Path> program = program(command);
    if (program.isEmpty()) {
      return new Termination.NotStarted(
          "no such program: "
              + command.argv().getFirst()
              + "; install it, or name its path in the agents file");
    }
    return spawn(command, mark, setsid.get(), program.get());
  }

  private Launch spawn(AgentCommand command, RunMark mark, Path setsid, Path program) {
    Cell.Entrance entrance;
    try {
      entrance = cell.enter(command.workingDir(), command.environment());
    } catch (IOException | IllegalStateException e) {
      return new Termination.NotStarted("its isolation could not be made: " + e.getMessage());
    }
    Optional<LateVariables> late = entrance.variables().late();
    if (late.isPresent() && program.toString().contains("=")) {
      return new Termination.NotStarted("the program's path has an equals sign");
    }
    Map<String, String> variables = new TreeMap<>(command.environment());
    variables.putAll(entrance.variables().own());
    List<String> argv = new ArrayList<>(entrance.outer());
    argv.add(setsid.toString());
    argv.addAll(entrance.inner());
    late.ifPresent(gives -> argv.addAll(gives.arguments(variables.size())));
    argv.add(program.toString());
    argv.addAll(command.argv().subList(1, command.argv().size()));
    ProcessBuilder builder = new ProcessBuilder(argv).directory(entrance.from().toFile());
    Map<String, String> environment = builder.environment();
    environment.clear();
    environment.putAll(late.map(gives -> gives.renamed(variables)).orElse(variables));
    environment.put(RunMark.VARIABLE, mark.value());
    stack.ifPresent(value -> environment.put(RunMark.STACK_VARIABLE, value));
    try {
      Process process = entrance.starter().start(builder);
      ProcessTree tree = tree(mark, entrance.user());
      tree.adopt(Math.toIntExact(process.pid()));
      return AgentProcess.follow(process, program, tree, command.stdin(), cell);
    } catch (IOException e) {
      return new Termination.NotStarted(reason(e));
    }
  }

  /// A user that only this attempt has shows what belongs to it, whatever a process did to its
  /// environment; and root without further rights may not read that of another user.
  private ProcessTree tree(RunMark mark, Optional<AgentUser> user) {
    return user.map(own -> ProcessTree.of(own, pacer))
        .orElseGet(() -> new ProcessTree(table, pacer, mark.value()::equals));
  }

  /// The system's own message, without the paths that the JVM puts before it.
  private static String reason(IOException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return "the system refused: " + cause.getMessage();
  }

  /// Relative directories in `PATH` would let a workspace supply the program.
  private static Optional<Path> program(AgentCommand command) {
    String name = command.argv().getFirst();
    Stream<Path> candidates =
        name.contains("/")
            ? Stream.of(command.workingDir().resolve(name))
            : Stream.of(command.environment().getOrDefault("PATH", "").split(":"))
                .filter(directory -> directory.startsWith("/"))
                .map(directory -> Path.of(directory, name));
    return candidates
        .map(Path::toAbsolutePath)
        .filter(path -> Files.isRegularFile(path) && Files.isExecutable(path))
        .findFirst();
  }

  /// The JVM would replace what it cannot encode by `?`.
  private boolean encodable(AgentCommand command) {
    CharsetEncoder encoder = systemCharset.newEncoder();
    return Stream.concat(
            command.argv().stream(),
            command.environment().entrySet().stream()
                .flatMap(variable -> Stream.of(variable.getKey(), variable.getValue())))
        .allMatch(encoder::canEncode);
  }
}
