package dev.runyard.runner.gateway;

import dev.runyard.core.agent.ModelApi;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Makes the calls of agents at their providers.
final class CallForwarder {
  private static final Duration TICK = Duration.ofSeconds(5);

  private final InstantSource clock;

  CallForwarder(InstantSource clock) {
    this.clock = clock;
  }

  /// Forwards a request and its answer; true if the agent's connection can be used again.
  boolean forward(IncomingCall request, ConnectionInput in, AnswerWriter agent)
      throws IOException, InterruptedException {
    CallLedger calls = request.endpoint().calls();
    calls.awaitRoom();
    List<String> models = List.of();
    if (request.head().method().equals("POST")) {
      Optional<CallBody> asked = request.asked();
      if (asked.isEmpty()) {
        Refusal why = Refusal.malformed("its body is no JSON object that names a model once");
        return refuse(request, agent, why, null);
      }
      if (asked.get().background() && request.api() == ModelApi.RESPONSES) {
        return refuse(request, agent, Refusal.background(), null);
      }
      models = asked.get().models();
      Optional<String> other =
          models.stream().filter(m -> !request.endpoint().allows(m)).findFirst();
      boolean unnamed = models.isEmpty() && !request.endpoint().grant().models().isEmpty();
      if (other.isPresent() || unnamed) {
        return refuse(request, agent, request.endpoint().notAllowed(other), other.orElse(null));
      }
      if (request.endpoint().grant().terms().confined()) {
        Optional<Refusal> out = ProviderReach.refusal(request, models);
        if (out.isPresent()) {
          return refuse(request, agent, out.get(), models.isEmpty() ? null : models.getFirst());
        }
      }
    }
    String model = models.isEmpty() ? null : models.getFirst();
    return call(request, model, in, agent);
  }

  private boolean call(
      IncomingCall request, @Nullable String model, ConnectionInput in, AnswerWriter agent)
      throws IOException, InterruptedException {
    CallLedger calls = request.endpoint().calls();
    long digest = digest(request.body());
    HttpRequest http;
    try {
      http = request.http();
    } catch (IllegalArgumentException _) {
      return refuse(request, agent, Refusal.malformed("it cannot be sent on"), model);
    }
    ForwardedCall call =
        new ForwardedCall(
            new ForwardedCall.Asked(
                request.api(), http, request.body().length, calls.failures(digest)),
            agent,
            clock,
            request.measured() ? calls.measured(model, digest) : calls.aside());
    Optional<Refusal> refused =
        request.measured() ? calls.begin(call, model) : calls.beginAside(call);
    if (refused.isPresent()) {
      agent.refuse(refused.get(), refused.get().body(request.api()), false);
      return true;
    }
    call.start(request.endpoint().client());
    return await(call, in);
  }

  private static long digest(byte[] body) {
    CRC32C digest = new CRC32C();
    digest.update(body);
    return digest.getValue() << Integer.SIZE ^ body.length;
  }

  private static boolean refuse(
      IncomingCall request, AnswerWriter agent, Refusal why, @Nullable String model)
      throws IOException {
    request.endpoint().calls().refused(why, model, request.api().label());
    agent.refuse(why, why.body(request.api()), false);
    return true;
  }

  /// Waits for the end of a call; true if the agent's connection can be used again. Where it
  /// cannot, the agent learns that at once, since it may wait for the rest of an answer.
  private static boolean await(ForwardedCall call, ConnectionInput in) throws InterruptedException {
    var _ =
        call.over()
            .thenAccept(
                again -> {
                  if (!again) {
                    in.end();
                  }
                });
    while (!call.over().isDone()) {
      switch (in.await(TICK)) {
        case GONE -> call.cancel(CallCut.AGENT_GONE);
        case BYTES -> awaitTick(call);
        case NOTHING -> {}
      }
      call.check();
    }
    return call.over().join();
  }

  private static void awaitTick(ForwardedCall call) throws InterruptedException {
    try {
      call.over().get(TICK.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (TimeoutException _) {
      // It goes on.
    }
  }
}
