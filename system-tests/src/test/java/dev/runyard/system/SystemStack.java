package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// A stack as `./runyard up` starts it: a separate process, which has the runners in it, or on
/// emulators as its children.
public final class SystemStack implements AutoCloseable {
  private static final String READY = "ready ";
  private static final String RUNNER = "dev.runyard.runner.Main";
  private static final String WATCHDOG = "runyard-watchdog";
  private static final String MARK = "RUNYARD_RUN=";
  private static final long LOOK_NANOS = 2_000_000;

  private final Process process;
  private final StackFolder folder;
  private final Api api;
  private final RunFailures failures;
  private final List<ProcessHandle> known = new ArrayList<>();
  private boolean frozen;

  private SystemStack(Process process, StackFolder folder, URI uri) throws IOException {
    this.process = process;
    this.folder = folder;
    this.api = new Api(uri, folder.tokens().find(uri).orElseThrow());
    this.failures = new RunFailures(folder.mayFail(), folder::logs);
  }

  /// Starts a stack on the store of one machine, unless the suite runs on emulators, and waits
  /// until it answers. It finds the data of an earlier stack in the same folder.
  public static SystemStack start(StackFolder folder, String... options)
      throws IOException, InterruptedException {
    return start(folder, Emulator.chosen().usual(folder.data()), options);
  }

  /// Starts a stack on emulators of the AWS services in the same way. Its runners are processes.
  public static SystemStack emulated(StackFolder folder, String... options)
      throws IOException, InterruptedException {
    return start(folder, Emulator.chosen().emulated(folder.data()), options);
  }

  /// Starts a stack on the store of one machine whatever the suite runs on, its runners within it.
  static SystemStack stored(StackFolder folder, String... options)
      throws IOException, InterruptedException {
    return start(folder, Emulator.stored(folder.data()), options);
  }

  private static SystemStack start(StackFolder folder, Emulator.Ground ground, String... options)
      throws IOException, InterruptedException {
    System.out.println(test() + " runs on: " + ground.name());
    List<String> arguments =
        new ArrayList<>(List.of("up", "--port", "0", "--agents", folder.agents().toString()));
    arguments.addAll(List.of(options));
    arguments.addAll(ground.options());
    ProcessBuilder builder = CommandLine.of(folder.home(), arguments);
    builder.environment().put("RUNYARD_CACHE", folder.cache().toString());
    builder.environment().merge("PATH", folder.programs() + ":", (path, own) -> own + path);
    builder.redirectError(ProcessBuilder.Redirect.appendTo(folder.log().toFile()));
    Process process = builder.start();
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = output.readLine();
    if (line == null || !line.startsWith(READY)) {
      throw new AssertionError("no stack: " + line + "\n" + Files.readString(folder.log()));
    }
    return new SystemStack(process, folder, URI.create(line.substring(READY.length())));
  }

  /// The test that starts the stack.
  private static String test() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .map(StackWalker.StackFrame::getClassName)
                    .filter(name -> name.endsWith("IT"))
                    .findFirst()
                    .map(name -> name.substring(name.lastIndexOf('.') + 1))
                    .orElse("a test"));
  }

  public Api api() {
    return api;
  }

  /// The same stack for another caller, whose runs are checked when the client is closed: later the
  /// caller may have no access any more.
  Api as(String credential) {
    return api.as(credential, this::checkRuns);
  }

  /// Runs a command of the command line, which must succeed, for the user of this stack; returns
  /// what it prints.
  ///
  /// @param in the folder it is run in
  public String command(Path in, String... arguments) throws IOException, InterruptedException {
    ProcessBuilder builder = CommandLine.of(folder.home(), List.of(arguments));
    builder.environment().put("RUNYARD_CACHE", folder.cache().toString());
    builder.environment().put("RUNYARD_URL", api.uri().toString());
    Process process =
        builder.directory(in.toFile()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), String.join(" ", arguments));
    return printed;
  }

  /// Starts a command of the command line for the user of this stack, which the test ends.
  Process background(Path in, String... arguments) throws IOException, InterruptedException {
    ProcessBuilder builder = CommandLine.of(folder.home(), List.of(arguments));
    builder.environment().put("RUNYARD_CACHE", folder.cache().toString());
    builder.environment().put("RUNYARD_URL", api.uri().toString());
    return builder
        .directory(in.toFile())
        .redirectError(ProcessBuilder.Redirect.appendTo(folder.log().toFile()))
        .start();
  }

  /// The run may fail with the code: the test wants that, or disturbs the run's runner.
  public void mayFail(String id, String code) {
    failures.expect(id, code);
  }

  /// Runs may fail so: the test's agent says it, in runs whose ids only the agent's caller knows.
  void mayFailAs(String code) {
    failures.expectCode(code);
  }

  /// The runner processes that live now.
  public List<ProcessHandle> runners() {
    List<ProcessHandle> runners =
        process.descendants().filter(child -> commandOf(child.pid()).contains(RUNNER)).toList();
    known.addAll(runners);
    return runners;
  }

  /// Kills every runner at once, like a machine failure.
  public void killRunners() {
    List<ProcessHandle> runners = runners();
    assertTrue(!runners.isEmpty(), "no runner to kill");
    runners.forEach(ProcessHandle::destroyForcibly);
    awaitEnd(runners);
  }

  /// Suspends every runner, so that it does nothing until it is killed.
  void freezeRunners() throws IOException, InterruptedException {
    List<ProcessHandle> runners = runners();
    assertTrue(!runners.isEmpty(), "no runner to freeze");
    for (ProcessHandle runner : runners) {
      freeze(runner.pid());
    }
  }

  /// Suspends the stack's own process, so that it does nothing until it is killed, which [#close]
  /// does where the test has not.
  void freeze() throws IOException, InterruptedException {
    frozen = true;
    freeze(process.pid());
  }

  private static void freeze(long pid) throws IOException, InterruptedException {
    assertEquals(0, new ProcessBuilder("kill", "-STOP", Long.toString(pid)).start().waitFor());
    Path status = Path.of("/proc", Long.toString(pid), "status");
    while (!Files.readString(status).contains("State:\tT")) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /// Ends the stack's own process, as `kill -9` does; who is left notices by itself.
  public void kill() {
    runners();
    process.destroyForcibly().onExit().join();
  }

  /// Kills the stack, its runners and its watchdog at once, so that nobody is left to end agents.
  void killAll() {
    List<ProcessHandle> others = new ArrayList<>(runners());
    watchdogs().forEach(others::add);
    others.forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    process.onExit().join();
    awaitEnd(others);
  }

  /// The process that ends agents when a stack on the store of one machine is killed.
  ProcessHandle watchdog() {
    return watchdogs().findFirst().orElseThrow();
  }

  private Stream<ProcessHandle> watchdogs() {
    return process.descendants().filter(child -> commandOf(child.pid()).contains(WATCHDOG));
  }

  /// Ends the stack as Ctrl-C and SIGTERM do.
  void stop() {
    runners();
    process.destroy();
    process.onExit().join();
  }

  /// Runner processes seen so far that still live.
  List<ProcessHandle> left() {
    return known.stream().filter(ProcessHandle::isAlive).toList();
  }

  static void awaitEnd(List<ProcessHandle> processes) {
    processes.forEach(one -> one.onExit().join());
  }

  /// The live processes of a run's agents, wherever they are, found by the variable that all of
  /// them have.
  public static List<Long> agents(String runId) throws IOException {
    return ProcessTable.pids("environ", says -> says.contains(MARK + runId + "."));
  }

  /// Waits until those that live now have ended, which one is as soon as it is dead, whether or not
  /// its parent has noticed.
  public static void awaitAgentsEnd(String runId) throws IOException {
    List<Long> before = agents(runId);
    while (!Collections.disjoint(before, agents(runId))) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private static String commandOf(long pid) {
    return ProcessTable.read(pid, "cmdline");
  }

  private void checkRuns(Api caller) {
    try {
      if (process.isAlive()) {
        failures.check(caller);
      }
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("the runs could not be looked at", e);
    }
  }

  /// Ends the stack, after checking every run of its own tenant if it still answers, and what it
  /// has answered.
  @Override
  public void close() {
    if (frozen) {
      kill();
    }
    try {
      checkRuns(api);
      assertEquals(List.of(), api.refusals(), "the stack was at fault");
    } finally {
      if (process.isAlive()) {
        stop();
      }
      RecordedCalls.keep(folder.calls());
      api.close();
      known.forEach(ProcessHandle::destroyForcibly);
    }
  }
}
