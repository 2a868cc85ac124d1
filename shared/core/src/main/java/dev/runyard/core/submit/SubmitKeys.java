package dev.runyard.core.submit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonBody;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.Busy;
import dev.runyard.core.request.InThread;
import dev.runyard.core.request.RunRequest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// Binds what a request is known by to the run that it becomes: the name of its turn, and its keys.
final class SubmitKeys {
  /// No client can send a key that begins so.
  private static final String TURN = "\0turn ";

  private static final String INSTEAD = "\0instead ";

  private static final int NAME_CHARS = 32;

  private final IdempotencyStore keys;
  private final InstantSource clock;

  SubmitKeys(IdempotencyStore keys, InstantSource clock) {
    this.keys = keys;
    this.clock = clock;
  }

  /// What all of them are bound to.
  sealed interface Bound {
    record To(RunKey run) implements Bound {}

    record Mismatch(Problem problem) implements Bound {}
  }

  /// The key under which the name of a turn is bound.
  static String ofTurn(String turnId) {
    return TURN + turnId;
  }

  /// The key under which the run is bound that a message to a turn has become, which came too late
  /// for that turn.
  static String insteadOf(String turnId) {
    return INSTEAD + turnId;
  }

  /// The request with a name for its turn if it may become a message, which has to be the same one
  /// if it is sent again.
  static RunRequest named(RunRequest request, List<SubmitRun.Key> keys) {
    InThread in = request.inThread();
    return request.busy() != Busy.STEER || in == null || in.turnId() != null || keys.isEmpty()
        ? request
        : request.in(
            new InThread(
                in.threadId(),
                "steer-" + Digest.hex(keys.getFirst().value()).substring(0, NAME_CHARS),
                in.busy()));
  }

  Bound bind(RunKey candidate, RunRequest request, List<SubmitRun.Key> allKeys) {
    Instant now = clock.instant();
    String found = candidate.runId();
    Optional<IdempotencyStore.Claim> turn =
        request.turnId().map(id -> claim(candidate, request, ofTurn(id), now));
    if (turn.isPresent()) {
      switch (keys.bind(turn.get())) {
        case IdempotencyStore.Binding.Fresh _ -> {}
        case IdempotencyStore.Binding.Known known -> found = known.runId();
        case IdempotencyStore.Binding.Mismatch _ -> {
          return mismatch("turn_id", "turn_id");
        }
      }
    }
    for (SubmitRun.Key key : allKeys) {
      switch (keys.bind(
          new IdempotencyStore.Claim(
              candidate.tenant(), key.value(), key.fingerprint(), found, now))) {
        case IdempotencyStore.Binding.Fresh _ -> {}
        case IdempotencyStore.Binding.Known known -> found = known.runId();
        case IdempotencyStore.Binding.Mismatch _ -> {
          return mismatch("Idempotency-Key", "key");
        }
      }
    }
    return new Bound.To(new RunKey(candidate.tenant(), found));
  }

  /// The run that the request becomes in place of a message: `candidate`, unless it has become
  /// another before.
  RunKey instead(RunKey candidate, RunRequest request) {
    return request
        .turnId()
        .map(id -> keys.bind(claim(candidate, request, insteadOf(id), clock.instant())))
        .filter(IdempotencyStore.Binding.Known.class::isInstance)
        .map(IdempotencyStore.Binding.Known.class::cast)
        .map(known -> new RunKey(candidate.tenant(), known.runId()))
        .orElse(candidate);
  }

  private static IdempotencyStore.Claim claim(
      RunKey candidate, RunRequest request, String key, Instant now) {
    ObjectNode content = JsonFormat.JSON.valueToTree(request);
    return new IdempotencyStore.Claim(
        candidate.tenant(),
        key,
        HexFormat.of().formatHex(Digest.of(JsonBody.canonical(content))),
        candidate.runId(),
        now,
        IdempotencyStore.TURN_SECONDS);
  }

  private static Bound mismatch(String what, String name) {
    return new Bound.Mismatch(
        Problem.of(
            ProblemCode.IDEMPOTENCY_MISMATCH,
            "This %s was used with another request. Use a new %s.".formatted(what, name)));
  }
}
