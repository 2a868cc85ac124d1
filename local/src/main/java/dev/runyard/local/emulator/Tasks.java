package dev.runyard.local.emulator;

import dev.runyard.local.threads.StackThreads;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/// The tasks of the stack's clusters. Each is a process of this machine that ends when the stack
/// does: it is stopped on close, knows this JVM's process id so that it notices if that is killed,
/// and is found in a file by the next start.
public final class Tasks implements AutoCloseable {
  static final Duration CLOSE_MAX = Duration.ofSeconds(15);
  private static final int STOPPED_KEPT_MAX = 1_000;

  /// What runs in place of a container whose image cannot be pulled.
  private static final List<String> NOTHING = List.of("false");

  private static final Logger LOG = System.getLogger(Tasks.class.getName());

  private final List<String> clusters;
  private final TaskLaunch launch;
  private final Path folder;
  private final InstantSource clock;
  private final TaskPids pids;
  private final Map<String, String> inherited;
  private volatile List<TaskTemplate> templates = List.of();
  private final Map<String, TaskProcess> tasks = new LinkedHashMap<>();
  private boolean closed;

  /// Kills what an earlier stack left behind.
  ///
  /// @param folder of the tasks' volumes, output and process ids
  /// @param inherited the variables every task gets in addition to its own, such as `PATH`
  public Tasks(
      List<String> clusters,
      TaskLaunch launch,
      Path folder,
      Map<String, String> inherited,
      InstantSource clock) {
    this.clusters = List.copyOf(clusters);
    this.launch = launch;
    this.folder = folder.toAbsolutePath();
    this.inherited = Map.copyOf(inherited);
    this.clock = clock;
    try {
      Files.createDirectories(folder.resolve("logs"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make " + folder, e);
    }
    this.pids = new TaskPids(folder.resolve("pids"));
    pids.sweep();
  }

  /// Sets the task definitions; before that, no task can run.
  public void define(List<TaskTemplate> definitions) {
    templates = List.copyOf(definitions);
  }

  boolean hasCluster(String name) {
    return clusters.contains(name);
  }

  Optional<TaskTemplate> template(String name) {
    return templates.stream().filter(template -> template.isNamed(name)).findFirst();
  }

  synchronized TaskProcess start(
      String cluster, TaskTemplate template, String startedBy, Map<String, String> overrides)
      throws IOException {
    if (closed) {
      throw new IOException("the stack is closing");
    }
    String id = UUID.randomUUID().toString().replace("-", "");
    ProcessBuilder builder =
        new ProcessBuilder(template.declaration().hasNoImage() ? NOTHING : launch.command(id));
    Map<String, String> environment = builder.environment();
    environment.clear();
    environment.putAll(inherited);
    environment.putAll(template.environment(folder, overrides));
    environment.put("RUNYARD_PARENT_PID", Long.toString(ProcessHandle.current().pid()));
    for (String volume : template.declaration().mounts().values()) {
      Files.createDirectories(folder.resolve(volume));
    }
    File log = folder.resolve("logs").resolve(id + ".log").toFile();
    Process process =
        builder.directory(folder.toFile()).redirectErrorStream(true).redirectOutput(log).start();
    process.getOutputStream().close();
    TaskProcess task = new TaskProcess(id, cluster, template, startedBy, process, clock);
    pids.add(id, process.pid());
    forgetOldest();
    tasks.put(task.arn(), task);
    task.whenExited(
        () -> {
          pids.remove(id);
          LOG.log(Level.DEBUG, "task {0} exited with {1}", id, process.exitValue());
        });
    return task;
  }

  private void forgetOldest() {
    long stopped = tasks.values().stream().filter(TaskProcess::hasStopped).count();
    if (stopped > STOPPED_KEPT_MAX) {
      tasks.values().stream()
          .filter(TaskProcess::hasStopped)
          .findFirst()
          .ifPresent(task -> tasks.remove(task.arn()));
    }
  }

  synchronized List<TaskProcess> all() {
    return new ArrayList<>(tasks.values());
  }

  /// Finds a task by its ARN or the id at its end.
  Optional<TaskProcess> find(String cluster, String name) {
    return all().stream()
        .filter(task -> task.isIn(cluster))
        .filter(task -> task.arn().equals(name) || task.arn().endsWith("/" + name))
        .findFirst();
  }

  void stop(TaskProcess task, String reason) {
    task.askToStop(reason);
    StackThreads.start("stop-task", () -> await(task, Duration.ofDays(1)));
  }

  private static void await(TaskProcess task, Duration limit) {
    try {
      task.awaitStopped(limit);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Asks every task to stop, waits for them, and kills the rest.
  @Override
  public void close() {
    List<TaskProcess> running;
    synchronized (this) {
      closed = true;
      running = all().stream().filter(task -> !task.hasStopped()).toList();
    }
    running.forEach(task -> task.askToStop("the stack stops"));
    List<Thread> waits =
        running.stream()
            .map(task -> StackThreads.start("stop-task", () -> await(task, CLOSE_MAX)))
            .toList();
    try {
      for (Thread wait : waits) {
        wait.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
