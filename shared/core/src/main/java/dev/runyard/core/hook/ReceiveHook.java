package dev.runyard.core.hook;

import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunState;
import dev.runyard.core.secret.Fetched;
import dev.runyard.core.secret.SecretTrouble;
import dev.runyard.core.submit.SubmitRun;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Takes a delivery: checks who sent it, then submits what the hook makes of it, once. Nothing of
/// it is believed, or even parsed, before its proof is. Thread-safe.
public final class ReceiveHook {
  /// Hooks of which it is remembered when an unproven delivery was last kept.
  private static final int REMEMBERED_MAX = 1_000;

  private final HookStore hooks;
  private final HookDeliveries deliveries;
  private final HookSecrets secrets;
  private final HookMapping mapping;
  private final SubmitRun submit;
  private final InstantSource clock;
  private final Map<HookId, Long> unproven = new ConcurrentHashMap<>();

  public ReceiveHook(
      HookStore hooks,
      HookDeliveries deliveries,
      HookSecrets secrets,
      HookMapping mapping,
      SubmitRun submit,
      InstantSource clock) {
    this.hooks = hooks;
    this.deliveries = deliveries;
    this.secrets = secrets;
    this.mapping = mapping;
    this.submit = submit;
    this.clock = clock;
  }

  /// What its sender is answered.
  public sealed interface Answer {
    /// It was taken, whatever it came to.
    record Taken(HookDelivery delivery) implements Answer {}

    /// Its sender wants this text back.
    record Challenge(String text) implements Answer {}

    /// There is no such hook, or it does not prove its sender: which of both is not told.
    record Unknown() implements Answer {}

    /// It is to be sent again.
    record Again(Problem problem) implements Answer {}
  }

  public Answer receive(String id, HookRequest request) {
    Optional<Hook> hook = HookId.parse(id).flatMap(hooks::find);
    return hook.isEmpty() ? new Answer.Unknown() : receive(hook.get(), request);
  }

  private Answer receive(Hook hook, HookRequest request) {
    Instant now = clock.instant();
    HookDefinition definition = Hooks.definition(hook);
    HookDelivery received =
        HookDelivery.of(hook.id(), now, HookOutcome.UNAVAILABLE, request.bytes())
            .named("", HookMapping.event(request));
    return switch (secrets.read(definition.secret())) {
      case Fetched.Unavailable(SecretTrouble why) -> unavailable(received, why.text("the API"));
      case Fetched.Value(String secret) -> {
        Optional<byte[]> key = HookProof.key(definition, request, secret);
        yield key.isEmpty()
            ? unavailable(
                received,
                "it is no key of this sender, or has less than %d bytes"
                    .formatted(HookLimits.SECRET_BYTES_MIN))
            : switch (new HookProof(definition, request, key.get(), now).check()) {
              case HookProof.Result.Unproven(String reason) -> {
                keep(received.with(HookOutcome.UNPROVEN, Optional.empty()).because(reason));
                yield new Answer.Unknown();
              }
              case HookProof.Result.Proven proven ->
                  proven(
                      definition,
                      request,
                      received.named(proven.id(), received.event()),
                      proven.marks());
            };
      }
    };
  }

  private Answer unavailable(HookDelivery received, String why) {
    keep(received.because("The secret of the hook cannot be used: " + why));
    return new Answer.Again(
        Problem.of(
            ProblemCode.UNAVAILABLE,
            "The delivery cannot be checked now, so it was not taken. Send it again."));
  }

  private Answer proven(
      HookDefinition definition, HookRequest request, HookDelivery received, List<String> marks) {
    return switch (mapping.of(definition, request)) {
      case HookMapping.Result.Challenge(String text) -> {
        keep(received.with(HookOutcome.CONFIRMED, Optional.empty()));
        yield new Answer.Challenge(text);
      }
      case HookMapping.Result.Ignored(String reason) ->
          taken(received.with(HookOutcome.IGNORED, Optional.empty()).because(reason));
      case HookMapping.Result.Refused(Problem problem) -> refused(received, problem);
      case HookMapping.Result.Run(RunRequest run, _) -> submitted(received, request, run, marks);
    };
  }

  private Answer submitted(
      HookDelivery received, HookRequest request, RunRequest run, List<String> marks) {
    HookId hook = received.hook();
    Requester by = new Requester(hook.actor(), request.requestId());
    SubmitRun.Once once =
        submit.once(
            new SubmitRun.By(hook.tenant(), by),
            run,
            marks.stream().map(mark -> key(hook, mark)).toList());
    return switch (once.result()) {
      case SubmitRun.Result.Rejected(Problem problem) -> refused(received, problem);
      case SubmitRun.Result.Accepted(RunState.Existing accepted, _) ->
          taken(
              received.with(
                  once.repeated() ? HookOutcome.REPEATED : HookOutcome.STARTED,
                  Optional.of(accepted.facts().run().runId())));
    };
  }

  /// A delivery is the same whatever the hook makes of it, so its key alone is compared. No client
  /// can send a key that begins as these do.
  private static SubmitRun.Key key(HookId hook, String mark) {
    String value = "\0hook %s %s".formatted(hook.token(), Digest.hex(mark));
    return new SubmitRun.Key(value, Digest.hex(value));
  }

  /// What lacks room is sent again; anything else is as wrong the next time, and senders give up
  /// addresses that refuse.
  private Answer refused(HookDelivery received, Problem problem) {
    if (problem.code().category() == Category.CAPACITY) {
      keep(received.because(problem));
      return new Answer.Again(problem);
    }
    return taken(received.with(HookOutcome.REFUSED, Optional.empty()).because(problem));
  }

  private Answer taken(HookDelivery delivery) {
    keep(delivery);
    return new Answer.Taken(delivery);
  }

  /// Of deliveries that anybody can send, one a second is kept. That one is not kept is no reason
  /// to have it sent again: what it came to stands.
  private void keep(HookDelivery delivery) {
    long second = delivery.at().getEpochSecond();
    if (!delivery.outcome().proven()) {
      if (unproven.size() > REMEMBERED_MAX) {
        unproven.clear();
      }
      Long before = unproven.put(delivery.hook(), second);
      if (before != null && before == second) {
        return;
      }
    }
    try {
      deliveries.add(delivery);
    } catch (PortUnavailable _) {
      unproven.remove(delivery.hook());
    }
  }
}
