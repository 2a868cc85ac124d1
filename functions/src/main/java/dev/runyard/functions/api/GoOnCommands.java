package dev.runyard.functions.api;

import dev.runyard.core.event.Requester;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.run.RunState;
import dev.runyard.core.runtime.RuntimeCommand;
import dev.runyard.core.session.GoOnFrom;
import dev.runyard.core.session.ThreadTurns;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.proxy.ApiRequest;
import java.util.Optional;
import java.util.function.Supplier;

/// The commands by which a thread goes on from what an earlier turn left.
///
/// With an Idempotency-Key they are for the thread as it was when they first came: sent again when
/// it has had other turns since, they take none of those back.
final class GoOnCommands {
  private static final char AT = '@';

  private final RuntimeApi.Threads threads;

  GoOnCommands(RuntimeApi.Threads threads) {
    this.threads = threads;
  }

  Reply rollBack(ApiRequest request, CommandAnswer answer, RuntimeCommand.RollbackThread back) {
    return in(
        request,
        back.threadId(),
        in ->
            threads
                .find()
                .of(in, back.turnId())
                .map(turn -> goOn(request, answer, in, () -> Optional.of(turn), GoOnFrom.How.BACK))
                .orElseGet(RuntimeApi::noTurn));
  }

  Reply resume(ApiRequest request, CommandAnswer answer, RuntimeCommand.ResumeThread resume) {
    return in(
        request,
        resume.threadId(),
        in -> {
          Optional<RunState.Existing> named =
              resume.turnId().flatMap(id -> threads.find().of(in, id));
          return resume.turnId().isPresent() && named.isEmpty()
              ? RuntimeApi.noTurn()
              : goOn(
                  request,
                  answer,
                  in,
                  () -> named.or(() -> threads.goOn().newest(in)),
                  named.isPresent() ? GoOnFrom.How.TO : GoOnFrom.How.NEWEST);
        });
  }

  private interface InThread {
    Reply answer(ThreadTurns.In in);
  }

  private Reply in(ApiRequest request, String threadId, InThread does) {
    return threads
        .read()
        .find(request.caller().tenant(), threadId)
        .map(does::answer)
        .orElseGet(ThreadsApi::noThread);
  }

  private Reply goOn(
      ApiRequest request,
      CommandAnswer answer,
      ThreadTurns.In in,
      Supplier<Optional<RunState.Existing>> meant,
      GoOnFrom.How how) {
    return threads
        .once()
        .about(
            request,
            request.bytes(),
            RuntimeApi.ROUTE,
            () ->
                meant
                    .get()
                    .map(turn -> turn.facts().run().runId() + AT + threads.goOn().sequence(in))
                    .orElse(RuntimeApi.NOTHING),
            (bound, again) -> bound(request, answer, in, bound, again, how));
  }

  private Reply bound(
      ApiRequest request,
      CommandAnswer answer,
      ThreadTurns.In in,
      String bound,
      boolean again,
      GoOnFrom.How how) {
    int at = bound.indexOf(AT);
    if (at < 0) {
      return answer.ofThread("unavailable", in, 0);
    }
    return threads
        .find()
        .of(in, bound.substring(0, at))
        .map(run -> done(request, answer, in, run, meantFor(bound, at, again), how))
        .orElseGet(RuntimeApi::noTurn);
  }

  /// The sequence of the thread that a repeated command is for.
  private static Optional<Long> meantFor(String bound, int at, boolean again) {
    return again ? Optional.of(Long.parseLong(bound.substring(at + 1))) : Optional.empty();
  }

  private Reply done(
      ApiRequest request,
      CommandAnswer answer,
      ThreadTurns.In in,
      RunState.Existing turn,
      Optional<Long> meant,
      GoOnFrom.How how) {
    Requester by = request.caller().requester();
    GoOnFrom.Wish wish = new GoOnFrom.Wish(turn, how, by, meant);
    return switch (threads.goOn().goOn(in, wish)) {
      case GoOnFrom.Result.Done done -> answer.ofBase("done", in, turn, done.thread(), done.from());
      case GoOnFrom.Result.Unchanged same ->
          answer.ofBase("no_op", in, turn, same.thread(), same.from());
      case GoOnFrom.Result.Gone _ -> answer.ofTurnGone(in, turn);
      case GoOnFrom.Result.Busy _ ->
          Reply.of(
              ProblemCode.THREAD_BUSY,
              "The thread has a turn that has not ended. Wait until it has, or interrupt it.");
      case GoOnFrom.Result.Late _ ->
          Reply.of(
              ProblemCode.THREAD_BUSY,
              "The thread has had other turns since this was first sent. Read it, and send the"
                  + " command with a new key if you still want it.");
    };
  }
}
