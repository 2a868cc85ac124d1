package dev.runyard.functions.stream;

import dev.runyard.core.access.Scope;
import dev.runyard.core.job.JobCodec;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.ManageJobs;
import dev.runyard.core.job.StoredJobEvent;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.session.ReadThread;
import dev.runyard.core.session.ThreadTurns;
import dev.runyard.core.task.ManageTasks;
import dev.runyard.core.task.StoredTaskEvent;
import dev.runyard.core.task.TaskCodec;
import dev.runyard.core.task.TaskKey;
import dev.runyard.core.thread.StoredThreadEvent;
import dev.runyard.core.thread.ThreadCodec;
import dev.runyard.core.thread.ThreadEvent;
import java.time.Instant;
import java.util.Optional;

/// The kinds of log beside that of runs whose events are read over HTTP.
final class LogKinds {
  private LogKinds() {}

  /// A thread is there before its log begins, and never ends.
  static LogKind<StoredThreadEvent> threads(ReadThread threads) {
    return new LogKind<>(
        Scope.RUNS_READ,
        "/v1/threads/{id}/events",
        ThreadCodec.THREADS,
        (tenant, id) -> threads.find(tenant, id).map(LogKinds::thread),
        Problem.of(ProblemCode.THREAD_NOT_FOUND, "There is no thread with this id."));
  }

  private static LogKind.Found<StoredThreadEvent> thread(ThreadTurns.In in) {
    return new LogKind.Found<>(
        in.thread(),
        Optional.of(
            new StoredThreadEvent(
                in.thread(),
                in.sessionId(),
                0,
                Instant.EPOCH,
                new ThreadEvent.ThreadStarted(),
                null)));
  }

  static LogKind<StoredTaskEvent> tasks() {
    return new LogKind<>(
        Scope.RUNS_READ,
        "/v1/tasks/{id}/events",
        TaskCodec.TOLD,
        (tenant, id) ->
            Optional.of(id)
                .filter(TaskKey::isTaskId)
                .map(known -> new LogKind.Found<>(new TaskKey(tenant, known), Optional.empty())),
        ManageTasks.notFound());
  }

  static LogKind<StoredJobEvent> jobs() {
    return new LogKind<>(
        Scope.RUNS_READ,
        "/v1/jobs/{id}/events",
        JobCodec.JOBS,
        (tenant, id) ->
            Optional.of(id)
                .filter(JobKey::isJobId)
                .map(known -> new LogKind.Found<>(new JobKey(tenant, known), Optional.empty())),
        ManageJobs.notFound());
  }
}
