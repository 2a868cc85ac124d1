package dev.runyard.functions.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.JsonBody;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.submit.IdempotencyHeader;
import dev.runyard.core.submit.IdempotencyStore;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.function.Supplier;

/// Things that a request makes once for its Idempotency-Key. The key is bound to the id that the
/// thing has, before it is made: whoever comes again makes it if that went wrong, and else finds
/// it.
public record MadeOnce(IdempotencyStore keys, InstantSource clock) {
  /// The answer about the thing that the request made, now or before.
  ///
  /// @param route a method and a path, which later versions must not change
  /// @param drawn draws an id
  /// @param make makes the thing of an id, or finds it
  public Reply answer(
      RoutedRequest request,
      byte[] body,
      String route,
      Supplier<String> drawn,
      Function<String, Reply> make) {
    return about(request, body, route, drawn, (id, _) -> make.apply(id));
  }

  /// The same for a request that is about the thing of that id, and may have been answered before.
  public Reply about(
      RoutedRequest request, byte[] body, String route, Supplier<String> drawn, Does does) {
    return IdempotencyKey.with(
        request,
        key ->
            key.map(
                    value ->
                        switch (JsonBody.read(body)) {
                          case JsonBody.Result.Rejected(Problem problem) -> Reply.of(problem);
                          case JsonBody.Result.Read(ObjectNode read) ->
                              bound(request.caller().tenant(), value, route, read, drawn.get())
                                  .answer(does);
                        })
                .orElseGet(() -> does.of(drawn.get(), false)),
        Reply::of);
  }

  private Bound bound(String tenant, String key, String route, ObjectNode body, String fresh) {
    String fingerprint = IdempotencyHeader.fingerprint(tenant, route, body);
    return switch (keys.bind(
        new IdempotencyStore.Claim(tenant, key, fingerprint, fresh, clock.instant()))) {
      case IdempotencyStore.Binding.Fresh _ -> does -> does.of(fresh, false);
      case IdempotencyStore.Binding.Known(String id) -> does -> does.of(id, true);
      case IdempotencyStore.Binding.Mismatch _ ->
          _ ->
              Reply.of(
                  ProblemCode.IDEMPOTENCY_MISMATCH,
                  "This Idempotency-Key was used with another request. Use a new key.");
    };
  }

  /// What a request does.
  public interface Does {
    /// Does it.
    ///
    /// @param again whether the key was bound to the id before
    Reply of(String id, boolean again);
  }

  private interface Bound {
    Reply answer(Does does);
  }
}
