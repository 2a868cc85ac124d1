package dev.runyard.functions.api;

import dev.runyard.core.access.Scope;
import dev.runyard.core.action.ResolveAction;
import dev.runyard.core.application.ThreadCases;
import dev.runyard.core.cancel.CancelRequestReader;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.run.RunState;
import dev.runyard.core.runtime.RuntimeCommand;
import dev.runyard.core.runtime.RuntimeCommandReader;
import dev.runyard.core.runtime.RuntimeJobCommand;
import dev.runyard.core.runtime.TaskRequest;
import dev.runyard.core.session.ChangeQueue;
import dev.runyard.core.session.GoOnFrom;
import dev.runyard.core.session.ReadThread;
import dev.runyard.core.session.ThreadTurns;
import dev.runyard.core.submit.FindTurn;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.thread.ThreadState;
import dev.runyard.core.view.ActionJson;
import dev.runyard.core.view.RunJson;
import dev.runyard.core.view.ThreadJson;
import dev.runyard.functions.http.KeyedSubmit;
import dev.runyard.functions.http.MadeOnce;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import dev.runyard.functions.proxy.ApiRequest;
import dev.runyard.functions.proxy.Endpoint;
import java.util.List;
import java.util.Optional;

/// The commands of the Agent Runtime standard, by the means that the resources have too.
public final class RuntimeApi implements Resources<Endpoint> {
  static final String ROUTE = "POST /v1/runtime/commands";

  /// What the key of a command is bound to that found no turn.
  static final String NOTHING = "nothing";

  private final RuntimeCommandReader reader;
  private final KeyedSubmit submit;
  private final ResolveAction resolve;
  private final Threads threads;
  private final MadeOnce once;
  private final ThreadsApi shown;
  private final GoOnCommands goOn;
  private final Work work;

  /// What reads and changes threads.
  ///
  /// @param once does it once for a key
  public record Threads(ThreadCases cases, MadeOnce once) {
    ReadThread read() {
      return cases.read();
    }

    ChangeQueue queue() {
      return cases.queue();
    }

    FindTurn find() {
      return cases.find();
    }

    GoOnFrom goOn() {
      return cases.goOn();
    }
  }

  /// Who executes the commands about jobs and tasks.
  record Work(JobCommands jobs, TaskCommands tasks) {}

  RuntimeApi(
      RuntimeCommandReader reader,
      SubmitRun submit,
      ResolveAction resolve,
      Threads threads,
      Work work) {
    this.reader = reader;
    this.submit = new KeyedSubmit(ROUTE, submit);
    this.resolve = resolve;
    this.threads = threads;
    this.once = threads.once();
    this.goOn = new GoOnCommands(threads);
    this.shown = new ThreadsApi(threads.read(), threads.once().clock());
    this.work = work;
  }

  @Override
  public List<Route<Endpoint>> routes() {
    return List.of(
        Route.post(Scope.RUNS_WRITE, "/v1/runtime/commands", Endpoint.plain(this::command)));
  }

  private Reply command(ApiRequest request) {
    if (!request.isJson()) {
      return Reply.notJson();
    }
    return switch (reader.read(request.bytes())) {
      case RuntimeCommandReader.Result.Rejected rejected -> Reply.of(rejected.problem());
      case RuntimeCommandReader.Result.Read(String name, RuntimeCommand command) ->
          request
              .caller()
              .refusal(Optional.of(scope(command)))
              .map(Reply::of)
              .orElseGet(() -> execute(request, new CommandAnswer(name), command));
    };
  }

  /// What a caller needs beside the scope of the route: what the resource of the command needs.
  private static Scope scope(RuntimeCommand command) {
    return switch (command) {
      case RuntimeCommand.SubmitTurn _,
          RuntimeCommand.InterruptTurn _,
          RuntimeCommand.RemoveQueuedTurn _,
          RuntimeCommand.PromoteQueuedTurn _,
          RuntimeCommand.ResumeThread _,
          RuntimeCommand.RollbackThread _,
          RuntimeCommand.Unavailable _ ->
          Scope.RUNS_WRITE;
      case RuntimeCommand.OfJob(RuntimeJobCommand job) ->
          job.reads() ? Scope.RUNS_READ : Scope.RUNS_WRITE;
      case RuntimeCommand.OfTask(TaskRequest task) -> TaskCommands.scope(task);
      case RuntimeCommand.RespondAction _ -> Scope.ACTIONS_DECIDE;
      case RuntimeCommand.GetSession _, RuntimeCommand.GetThreadRead _ -> Scope.RUNS_READ;
    };
  }

  private Reply execute(ApiRequest request, CommandAnswer answer, RuntimeCommand command) {
    String tenant = request.caller().tenant();
    return switch (command) {
      case RuntimeCommand.SubmitTurn turn -> submit(request, answer, turn);
      case RuntimeCommand.RespondAction action -> respond(request, answer, action);
      case RuntimeCommand.InterruptTurn turn -> interrupt(request, answer, turn);
      case RuntimeCommand.RemoveQueuedTurn turn ->
          queued(
              request,
              answer,
              turn.threadId(),
              turn.turnId(),
              (in, run, _) -> threads.queue().remove(in, run, request.caller().requester()));
      case RuntimeCommand.PromoteQueuedTurn turn ->
          queued(
              request,
              answer,
              turn.threadId(),
              turn.turnId(),
              (in, run, again) ->
                  threads
                      .queue()
                      .promote(in, run.facts().run().runId(), again, request.caller().requester()));
      case RuntimeCommand.ResumeThread resume -> goOn.resume(request, answer, resume);
      case RuntimeCommand.RollbackThread back -> goOn.rollBack(request, answer, back);
      case RuntimeCommand.GetSession session ->
          answer.of(shown.session(tenant, session.sessionId(), session.window()));
      case RuntimeCommand.GetThreadRead thread ->
          answer.of(shown.thread(tenant, thread.threadId(), thread.window()));
      case RuntimeCommand.OfJob(RuntimeJobCommand job) -> work.jobs().execute(request, answer, job);
      case RuntimeCommand.OfTask(TaskRequest task) -> work.tasks().execute(request, answer, task);
      case RuntimeCommand.Unavailable _ -> answer.unavailable();
    };
  }

  private Reply submit(ApiRequest request, CommandAnswer answer, RuntimeCommand.SubmitTurn turn) {
    return switch (submit.submit(request, turn.request(), turn.params())) {
      case SubmitRun.Result.Rejected rejected ->
          Reply.of(CommandAnswer.inParams(rejected.problem()));
      case SubmitRun.Result.Accepted(RunState.Existing run, boolean steered) ->
          answer.ofRun(
              steered || !threads.queue().waits(run) ? "accepted" : "queued", run, RunJson.of(run));
    };
  }

  private Reply respond(
      ApiRequest request, CommandAnswer answer, RuntimeCommand.RespondAction action) {
    Optional<String> run = ActionId.runId(action.actionId());
    if (run.isEmpty()) {
      return Reply.of(ProblemCode.ACTION_NOT_FOUND, "There is no action with this id.");
    }
    return switch (resolve.resolve(
        new RunKey(request.caller().tenant(), run.get()),
        action.actionId(),
        action.decision(),
        action.payload(),
        request.caller().requester())) {
      case ResolveAction.Result.Rejected rejected ->
          Reply.of(CommandAnswer.inParams(rejected.problem()));
      case ResolveAction.Result.Decided done ->
          answer.ofRun("done", done.run(), ActionJson.of(done.action()));
    };
  }

  private Reply interrupt(
      ApiRequest request, CommandAnswer answer, RuntimeCommand.InterruptTurn turn) {
    Optional<ThreadTurns.In> in = threads.read().find(request.caller().tenant(), turn.threadId());
    if (in.isEmpty()) {
      return ThreadsApi.noThread();
    }
    Optional<RunState.Existing> named =
        turn.turnId().flatMap(id -> threads.find().of(in.get(), id));
    if (turn.turnId().isPresent() && named.isEmpty()) {
      return noTurn();
    }
    return once.answer(
        request,
        request.bytes(),
        ROUTE,
        () -> meant(in.get(), named, turn),
        run -> interrupt(request, answer, turn, in.get(), run));
  }

  /// What an interrupt is for, however often it comes.
  private String meant(
      ThreadTurns.In in, Optional<RunState.Existing> named, RuntimeCommand.InterruptTurn turn) {
    return named
        .or(() -> threads.queue().current(in))
        .map(run -> run.facts().run().runId())
        .map(run -> threads.queue().meant(in, run, turn.clear()).text())
        .orElse(NOTHING);
  }

  private Reply interrupt(
      ApiRequest request,
      CommandAnswer answer,
      RuntimeCommand.InterruptTurn turn,
      ThreadTurns.In in,
      String meant) {
    if (meant.equals(NOTHING)) {
      return answer.ofThread("no_op", in, 0);
    }
    ChangeQueue.Wish wish =
        new ChangeQueue.Wish(
            turn.reason().orElse(CancelRequestReader.REASON_DEFAULT), request.caller().requester());
    ChangeQueue.Meant which = ChangeQueue.Meant.of(meant);
    String outcome = threads.queue().interrupt(in, which, wish) ? "accepted" : "no_op";
    return threads
        .find()
        .of(in, which.runId())
        .map(run -> answer.ofRun(outcome, run, ThreadJson.turn(run)))
        .orElseGet(() -> answer.ofThread(outcome, in, 0));
  }

  private interface Change {
    ChangeQueue.Result of(ThreadTurns.In in, RunState.Existing turn, boolean again);
  }

  private Reply queued(
      ApiRequest request, CommandAnswer answer, String threadId, String turnId, Change change) {
    Optional<ThreadTurns.In> in = threads.read().find(request.caller().tenant(), threadId);
    if (in.isEmpty()) {
      return ThreadsApi.noThread();
    }
    Optional<RunState.Existing> turn = threads.find().of(in.get(), turnId);
    if (turn.isEmpty()) {
      return noTurn();
    }
    RunState.Existing run = turn.get();
    return once.about(
        request,
        request.bytes(),
        ROUTE,
        run.facts().run()::runId,
        (_, again) -> changed(answer, in.get(), run, change.of(in.get(), run, again)));
  }

  private static Reply changed(
      CommandAnswer answer, ThreadTurns.In in, RunState.Existing run, ChangeQueue.Result result) {
    return switch (result) {
      case ChangeQueue.Result.Done(ThreadState now) -> answer.ofTurn("done", in, run, now);
      case ChangeQueue.Result.Unchanged(ThreadState now) -> answer.ofTurn("no_op", in, run, now);
      case ChangeQueue.Result.NotQueued _ ->
          Reply.of(
              ProblemCode.TURN_NOT_QUEUED,
              "The turn does not wait: it has begun or ended. Interrupt it, or leave it.");
    };
  }

  static Reply noTurn() {
    return Reply.of(ProblemCode.TURN_NOT_FOUND, "The thread has no turn of this name.");
  }
}
