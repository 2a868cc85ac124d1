package dev.runyard.core.hook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.json.JsonBody;
import dev.runyard.core.problem.Pointer;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The hooks of tenants: made, changed and deleted. What a hook would submit is checked when it is
/// written, as far as it can be without a delivery.
public final class Hooks {
  private static final int WRITES_MAX = 5;

  private final HookStore store;
  private final HookSecrets secrets;
  private final HookMapping mapping;
  private final Ids ids;
  private final InstantSource clock;

  public Hooks(
      HookStore store, HookSecrets secrets, HookMapping mapping, Ids ids, InstantSource clock) {
    this.store = store;
    this.secrets = secrets;
    this.mapping = mapping;
    this.ids = ids;
    this.clock = clock;
  }

  /// What became of a write.
  public sealed interface Result {
    record Written(Hook hook) implements Result {}

    record Absent() implements Result {}

    record Rejected(Problem problem) implements Result {}
  }

  /// The part of a new hook's id that nobody guesses.
  public String drawnToken() {
    return ids.token() + ids.token();
  }

  /// Why a body can make no hook, whatever else there is; empty if it can.
  public Optional<Problem> refusal(byte[] body) {
    return switch (JsonBody.read(body)) {
      case JsonBody.Result.Rejected(Problem problem) -> Optional.of(problem);
      case JsonBody.Result.Read(ObjectNode definition) -> refusal(definition);
    };
  }

  /// Makes the hook of an id that was drawn for it, unless it was made before.
  public Result create(String tenant, String token, byte[] body) {
    HookId id = new HookId(tenant, token);
    Optional<Hook> there = store.find(id);
    if (there.isPresent()) {
      return new Result.Written(there.get());
    }
    return switch (JsonBody.read(body)) {
      case JsonBody.Result.Rejected(Problem problem) -> new Result.Rejected(problem);
      case JsonBody.Result.Read(ObjectNode definition) ->
          refusal(definition)
              .or(() -> full(tenant))
              .<Result>map(Result.Rejected::new)
              .orElseGet(() -> new Result.Written(first(id, definition)));
    };
  }

  /// Of two who make the same one at the same time, one finds that of the other.
  private Hook first(HookId id, ObjectNode definition) {
    Instant now = clock.instant();
    Hook hook = new Hook(id, 1, present(definition), now, now);
    return store.write(hook) ? hook : store.find(id).orElse(hook);
  }

  /// The members that are there: one that is null is not.
  private static ObjectNode present(ObjectNode definition) {
    ObjectNode present = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> member : definition.properties()) {
      if (!member.getValue().isNull()) {
        present.set(member.getKey(), member.getValue());
      }
    }
    return present;
  }

  private Optional<Problem> full(String tenant) {
    return store.list(tenant).size() < HookLimits.HOOKS_MAX
        ? Optional.empty()
        : Optional.of(
            Problem.of(
                ProblemCode.HOOKS_FULL,
                "There are %d hooks already. Delete one first.".formatted(HookLimits.HOOKS_MAX)));
  }

  public List<Hook> list(String tenant) {
    return store.list(tenant);
  }

  /// The hook of this id, if it is the tenant's.
  public Optional<Hook> find(String tenant, String id) {
    return own(tenant, id).flatMap(store::find);
  }

  /// Puts members of the body in place of the hook's; one that is null is taken away.
  public Result change(String tenant, String id, byte[] body) {
    return switch (JsonBody.read(body)) {
      case JsonBody.Result.Rejected(Problem problem) -> new Result.Rejected(problem);
      case JsonBody.Result.Read(ObjectNode members) -> change(tenant, id, members);
    };
  }

  private Result change(String tenant, String id, ObjectNode members) {
    for (int writes = 0; writes < WRITES_MAX; writes++) {
      Optional<Hook> there = find(tenant, id);
      if (there.isEmpty()) {
        return new Result.Absent();
      }
      ObjectNode changed = there.get().definition().deepCopy();
      changed.setAll(members);
      Optional<Problem> refusal = refusal(changed);
      if (refusal.isPresent()) {
        return new Result.Rejected(refusal.get());
      }
      Hook next = there.get().changed(present(changed), clock.instant());
      if (store.write(next)) {
        return new Result.Written(next);
      }
    }
    throw new PortUnavailable("others change the hook all the time");
  }

  /// Says whether there was such a hook of the tenant's.
  public boolean delete(String tenant, String id) {
    return own(tenant, id).map(store::delete).orElse(false);
  }

  private static Optional<HookId> own(String tenant, String id) {
    return HookId.parse(id).filter(found -> found.tenant().equals(tenant));
  }

  /// What a stored hook says. It was read when it was written.
  static HookDefinition definition(Hook hook) {
    return switch (HookReader.read(hook.definition())) {
      case HookReader.Result.Read(HookDefinition definition) -> definition;
      case HookReader.Result.Rejected(Problem problem) ->
          throw new IllegalStateException("a stored hook that cannot be read: " + problem.detail());
    };
  }

  private Optional<Problem> refusal(ObjectNode definition) {
    return switch (HookReader.read(definition)) {
      case HookReader.Result.Rejected(Problem problem) -> Optional.of(problem);
      case HookReader.Result.Read(HookDefinition read) ->
          secrets.lists(read.secret())
              ? untenable(read)
              : Optional.of(
                  Problem.at(
                      ProblemCode.INVALID_REQUEST,
                      Pointer.of(HookReader.SECRET),
                      "Hooks may name only secrets that the operator lists as hook_secrets in the agents file"));
    };
  }

  /// Why no delivery could make a request of the template.
  private Optional<Problem> untenable(HookDefinition read) {
    return mapping.read(read.template().sample()) instanceof HookMapping.Result.Refused(Problem why)
        ? Optional.of(
            new Problem(
                why.code(),
                why.detail(),
                why.pointers().stream().map(at -> Pointer.of(HookTemplate.MEMBER) + at).toList()))
        : Optional.empty();
  }
}
