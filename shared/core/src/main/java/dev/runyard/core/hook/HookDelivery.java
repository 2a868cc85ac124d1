package dev.runyard.core.hook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.problem.Problem;
import java.time.Instant;
import java.util.Optional;

/// What a delivery was and what became of it, without its body and without any header that proves
/// something.
///
/// @param deliveryId the sender's name for it; empty if it has none
/// @param event what kind of event the sender calls it; empty if it does not say
/// @param bodyBytes size of its body
/// @param runId the run that it started, or had started
/// @param reason for people; empty where the outcome says all
/// @param code of the problem, where it mapped to no valid request
/// @param pointer where in the request that problem is
public record HookDelivery(
    HookId hook,
    Instant at,
    HookOutcome outcome,
    String deliveryId,
    String event,
    int bodyBytes,
    Optional<String> runId,
    String reason,
    Optional<String> code,
    Optional<String> pointer) {
  public HookDelivery {
    deliveryId = label(deliveryId);
    event = label(event);
    reason = Bounds.truncate(reason, HookLimits.REASON_BYTES_MAX);
  }

  /// One of which no more is known yet.
  static HookDelivery of(HookId hook, Instant at, HookOutcome outcome, int bodyBytes) {
    return new HookDelivery(
        hook,
        at,
        outcome,
        "",
        "",
        bodyBytes,
        Optional.empty(),
        "",
        Optional.empty(),
        Optional.empty());
  }

  HookDelivery named(String id, String kind) {
    return new HookDelivery(hook, at, outcome, id, kind, bodyBytes, runId, reason, code, pointer);
  }

  HookDelivery because(String why) {
    return new HookDelivery(
        hook, at, outcome, deliveryId, event, bodyBytes, runId, why, code, pointer);
  }

  HookDelivery because(Problem problem) {
    return new HookDelivery(
        hook,
        at,
        outcome,
        deliveryId,
        event,
        bodyBytes,
        runId,
        problem.detail(),
        Optional.of(problem.code().code()),
        problem.pointers().stream().findFirst());
  }

  HookDelivery with(HookOutcome other, Optional<String> run) {
    return new HookDelivery(
        hook, at, other, deliveryId, event, bodyBytes, run, reason, code, pointer);
  }

  /// Where it is kept. Proven ones have places of their own, which sort by age. Anybody who knows
  /// the hook's address can send others, so these share [HookLimits#UNPROVEN_KEPT] places.
  public String slot() {
    return outcome.proven()
        ? "%013d-%s"
            .formatted(
                at.toEpochMilli(),
                Digest.hex(deliveryId + "\n" + outcome.wire() + "\n" + runId.orElse(""))
                    .substring(0, 12))
        : "unproven-%02d".formatted(Math.floorMod(at.getEpochSecond(), HookLimits.UNPROVEN_KEPT));
  }

  /// As it is stored and shown.
  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("received_at", JsonFormat.time(at));
    json.put("outcome", outcome.wire());
    json.put("delivery_id", deliveryId);
    json.put("event", event);
    json.put("body_bytes", bodyBytes);
    json.put("run_id", runId.orElse(null));
    json.put("reason", reason);
    json.put("code", code.orElse(null));
    json.put("pointer", pointer.orElse(null));
    return json;
  }

  /// The delivery of a hook that was stored as this.
  public static HookDelivery of(HookId hook, JsonNode json) {
    return new HookDelivery(
        hook,
        JsonFormat.time(json.path("received_at").asText()),
        HookOutcome.of(json.path("outcome").asText()).orElse(HookOutcome.REFUSED),
        json.path("delivery_id").asText(),
        json.path("event").asText(),
        json.path("body_bytes").asInt(),
        text(json, "run_id"),
        json.path("reason").asText(),
        text(json, "code"),
        text(json, "pointer"));
  }

  private static Optional<String> text(JsonNode json, String name) {
    return Optional.ofNullable(json.path(name).textValue());
  }

  /// A name that a sender chose, as one line.
  private static String label(String text) {
    StringBuilder line = new StringBuilder();
    Bounds.wellFormed(text)
        .codePoints()
        .map(c -> Character.isISOControl(c) ? ' ' : c)
        .forEach(line::appendCodePoint);
    return Bounds.truncate(line.toString().strip(), HookLimits.LABEL_BYTES_MAX);
  }
}
