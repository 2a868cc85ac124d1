package dev.runyard.local.emulator;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.local.template.PseudoParameters;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// One task: a process, and its description in ECS's terms.
final class TaskProcess {
  static final String STOPPED_BY_CALLER = "UserInitiated";
  static final String NOT_STARTED = "TaskFailedToStart";
  private static final String EXITED = "EssentialContainerExited";

  private final String id;
  private final String cluster;
  private final String taskDefinitionArn;
  private final String container;
  private final String startedBy;
  private final Duration stopTimeout;
  private final Optional<String> notPulled;
  private final Process process;
  private final InstantSource clock;
  private final Instant startedAt;
  private volatile CompletableFuture<Void> exit = new CompletableFuture<>();
  private volatile Optional<Instant> stoppedAt = Optional.empty();
  private volatile Optional<String> stopReason = Optional.empty();

  TaskProcess(
      String id,
      String cluster,
      TaskTemplate template,
      String startedBy,
      Process process,
      InstantSource clock) {
    this.id = id;
    this.cluster = cluster;
    this.taskDefinitionArn = template.declaration().arn();
    this.container = template.declaration().container();
    this.stopTimeout = template.declaration().stopTimeout();
    this.notPulled =
        template.declaration().hasNoImage()
            ? Optional.of(
                "CannotPullContainerError: pull image manifest has been retried 1 time(s): failed"
                    + " to resolve ref "
                    + template.declaration().image()
                    + ": not found")
            : Optional.empty();
    this.startedBy = startedBy;
    this.process = process;
    this.clock = clock;
    this.startedAt = clock.instant();
  }

  String arn() {
    return clusterArn(cluster).replace(":cluster/", ":task/") + "/" + id;
  }

  static String clusterArn(String cluster) {
    return "arn:aws:ecs:%s:%s:cluster/%s"
        .formatted(PseudoParameters.REGION, PseudoParameters.ACCOUNT, cluster);
  }

  boolean isIn(String otherCluster) {
    return cluster.equals(otherCluster);
  }

  boolean wasStartedBy(String name) {
    return startedBy.equals(name);
  }

  boolean isOf(String family) {
    return taskDefinitionArn.contains(":task-definition/" + family + ":");
  }

  boolean isWanted() {
    return process.isAlive() && stopReason.isEmpty();
  }

  /// Whether it has ended and its end is recorded: nothing more is written for it.
  boolean hasStopped() {
    return exit.isDone();
  }

  /// Records the end, then runs `next`.
  void whenExited(Runnable next) {
    exit =
        process
            .onExit()
            .thenAccept(
                ended -> {
                  stoppedAt = Optional.of(clock.instant());
                  next.run();
                });
  }

  /// Asks the process to end.
  void askToStop(String reason) {
    if (process.isAlive()) {
      stopReason = Optional.of(reason);
      process.destroy();
    }
  }

  /// Waits as long as the task may take to stop, at most `limit`, then kills it with everything it
  /// started.
  void awaitStopped(Duration limit) throws InterruptedException {
    Duration patience = stopTimeout.compareTo(limit) < 0 ? stopTimeout : limit;
    if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
      TaskPids.killTree(process.toHandle());
    }
    awaitEnded();
  }

  /// Waits until the task has ended by itself, and its end is recorded.
  void awaitEnded() {
    exit.join();
  }

  ObjectNode describe() {
    boolean running = process.isAlive();
    ObjectNode task = JsonNodeFactory.instance.objectNode();
    task.put("taskArn", arn())
        .put("clusterArn", clusterArn(cluster))
        .put("taskDefinitionArn", taskDefinitionArn)
        .put("launchType", "FARGATE")
        .put("lastStatus", running ? "RUNNING" : "STOPPED")
        .put("desiredStatus", isWanted() ? "RUNNING" : "STOPPED")
        .put("createdAt", seconds(startedAt))
        .put("startedAt", seconds(startedAt))
        .put("startedBy", startedBy);
    ObjectNode one = task.putArray("containers").addObject();
    one.put("name", container).put("lastStatus", running ? "RUNNING" : "STOPPED");
    if (!running) {
      stoppedAt.ifPresent(at -> task.put("stoppedAt", seconds(at)));
    }
    if (!running && notPulled.isPresent()) {
      task.put("stopCode", NOT_STARTED).put("stoppedReason", notPulled.get());
    } else if (!running) {
      task.put("stopCode", stopReason.isPresent() ? STOPPED_BY_CALLER : EXITED);
      task.put("stoppedReason", stopReason.orElse("Essential container in task exited"));
      one.put("exitCode", process.exitValue());
    }
    return task;
  }

  private static double seconds(Instant instant) {
    return instant.toEpochMilli() / 1000.0;
  }
}
