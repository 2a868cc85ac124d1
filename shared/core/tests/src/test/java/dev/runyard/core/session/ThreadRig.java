package dev.runyard.core.session;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.core.application.UseCases;
import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryPorts;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.request.InThread;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.SampleRequests;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.thread.StoredThreadEvent;
import dev.runyard.core.thread.ThreadCodec;
import dev.runyard.core.thread.ThreadKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// A thread with its turns in memory; each of them comes a second after the one before it.
final class ThreadRig {
  static final String TENANT = "acme";
  static final String SESSION = "s-1";
  static final ThreadTurns.In THREAD = new ThreadTurns.In(new ThreadKey(TENANT, "t-1"), SESSION);
  static final Requester BY = new Requester("key:k1", "request-7");

  final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  final Ids ids = new RandomIds(new Random(3));
  final MemoryEventLog log = new MemoryEventLog();
  final MemoryPorts ports = new MemoryPorts(log, clock);
  final UseCases cases = new UseCases(ports, clock, ids, "test");
  final ThreadTurns turns = cases.threadTurns();

  /// The next turn of the thread, which lists show.
  RunKey submitted(String turnId) {
    return submitted(turnId, "echo");
  }

  RunKey submitted(String turnId, String agent) {
    RunRequest request = SampleRequests.of(agent, SESSION, 60);
    return submitted(request.in(InThread.of("t-1", turnId, null)));
  }

  RunKey submitted(RunRequest request) {
    clock.advance(Duration.ofSeconds(1));
    SubmitRun.Result result =
        cases.submitRun().submit(new SubmitRun.By(TENANT, "somebody"), request, Optional.empty());
    RunKey run = assertInstanceOf(SubmitRun.Result.Accepted.class, result).run().facts().run();
    cases.projectForReader().project(run);
    return run;
  }

  /// A turn of the thread that no list has yet.
  RunKey unlisted(String turnId) {
    RunKey run = created(SampleRequests.echo(SESSION).in(InThread.of("t-1", turnId, null)));
    cases.turnOrder().send(state(run), 0);
    return run;
  }

  /// A run that has neither its place nor a row of a list.
  RunKey created(RunRequest request) {
    clock.advance(Duration.ofSeconds(1));
    RunKey run = new RunKey(TENANT, ids.runId(clock.instant()));
    cases.runs().execute(run, new RunCommand.Submit(request));
    return run;
  }

  /// A runner begins with the run.
  void claimed(RunKey run) {
    cases.runs().execute(run, new RunCommand.Claim("attempt-1", "r", "ticket", clock.instant()));
  }

  /// The run ends, and lists show it so.
  void end(RunKey run) {
    clock.advance(Duration.ofSeconds(1));
    cases.cancelRun().cancel(run, "test", "somebody");
    cases.advanceRun().advance(run);
    cases.projectForReader().project(run);
  }

  RunState.Existing state(RunKey run) {
    return (RunState.Existing) cases.runs().load(run);
  }

  /// A request for another thread of the session.
  static RunRequest in(String thread) {
    return SampleRequests.echo(SESSION).in(InThread.of(thread, null, null));
  }

  /// The order of the thread's turns.
  List<String> order() {
    return turns.read(THREAD).runs();
  }

  /// What the log has of the thread.
  List<StoredThreadEvent> events() {
    return log.chunksAfter(THREAD.thread(), 0).stream()
        .flatMap(chunk -> chunk.events(ThreadCodec.THREADS).stream())
        .toList();
  }

  static List<String> ids(RunKey... runs) {
    return List.of(runs).stream().map(RunKey::runId).toList();
  }
}
