package dev.runyard.runner.gateway;

import dev.runyard.core.agent.ModelApi;
import dev.runyard.core.event.ModelCall;
import dev.runyard.core.usage.Usage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// One call on its way to the provider and back. What the provider sends is written to the agent on
/// the thread that received it, and more is asked for when that is done: nothing is gathered, and a
/// slow agent slows its provider.
final class ForwardedCall
    implements HttpResponse.BodyHandler<Void>, HttpResponse.BodySubscriber<Void> {
  /// How long the provider may take until its answer begins.
  static final int ANSWER_SECONDS_MAX = 900;

  /// How long nothing may pass once it has begun.
  static final int SILENCE_SECONDS_MAX = 600;

  private static final int OK = 200;
  private static final int NOT_OK = 300;

  private final Asked asked;
  private final AnswerWriter agent;
  private final InstantSource clock;
  private final Instant began;
  private final Account account;
  private final CompletableFuture<Boolean> over = new CompletableFuture<>();
  private final CompletableFuture<Void> body = new CompletableFuture<>();
  private final AtomicBoolean concluded = new AtomicBoolean();
  private volatile AnswerMeter meter;
  private volatile @Nullable CompletableFuture<HttpResponse<Void>> sent;
  private volatile Flow.@Nullable Subscription subscription;
  private volatile @Nullable CallCut cut;
  private volatile Instant movedAt;
  private volatile @Nullable Instant firstByteAt;
  private volatile int status;
  private volatile @Nullable Integer retryAfterSeconds;

  ForwardedCall(Asked asked, AnswerWriter agent, InstantSource clock, Account account) {
    this.asked = asked;
    this.agent = agent;
    this.clock = clock;
    this.account = account;
    this.began = clock.instant();
    this.movedAt = began;
    this.meter = new AnswerMeter(asked.api(), false);
  }

  /// What an agent asked for.
  ///
  /// @param bytes of its body
  /// @param retry how many times in a row the same call had failed before
  record Asked(ModelApi api, HttpRequest request, int bytes, int retry) {}

  /// What a call is counted in.
  interface Account {
    /// Whether all calls, with what those under way have used so far, go over a bound.
    boolean exceeded();

    /// The call has ended. Told once, before the agent learns of it.
    void ended(ForwardedCall call, CallEnd end);
  }

  /// Sends it.
  void start(HttpClient client) {
    CompletableFuture<HttpResponse<Void>> sending;
    try {
      sending = client.sendAsync(asked.request(), this);
    } catch (RuntimeException e) {
      conclude(e);
      return;
    }
    sent = sending;
    if (cut != null) {
      sending.cancel(true);
    }
    var _ = sending.whenComplete((_, failure) -> conclude(failure));
  }

  /// Completes when the call is over: with whether the agent's connection can be used again.
  CompletableFuture<Boolean> over() {
    return over;
  }

  /// What it has used so far.
  Usage soFar() {
    return meter.soFar();
  }

  /// Ends it, if it has not ended.
  void cancel(CallCut why) {
    if (cut == null) {
      cut = why;
    }
    Flow.Subscription receiving = subscription;
    if (receiving != null) {
      receiving.cancel();
    }
    CompletableFuture<HttpResponse<Void>> sending = sent;
    if (sending != null) {
      sending.cancel(true);
    }
  }

  /// Ends it if nothing has passed for too long.
  void check() {
    boolean silent =
        status != 0
            && Duration.between(movedAt, clock.instant()).toSeconds() >= SILENCE_SECONDS_MAX;
    if (silent) {
      cancel(CallCut.SILENT);
    }
  }

  @Override
  public HttpResponse.BodySubscriber<Void> apply(HttpResponse.ResponseInfo info) {
    status = info.statusCode();
    movedAt = clock.instant();
    String type = info.headers().firstValue("content-type").orElse("");
    meter = new AnswerMeter(asked.api(), type.startsWith("text/event-stream"));
    retryAfterSeconds =
        info.headers()
            .firstValue("retry-after")
            .filter(text -> text.matches("\\d{1,6}"))
            .map(Integer::valueOf)
            .orElse(null);
    OptionalLong length = info.headers().firstValueAsLong("content-length");
    try {
      agent.begin(status, info.headers().map(), length);
    } catch (IOException e) {
      cancel(CallCut.AGENT_GONE);
      throw new UncheckedIOException(e);
    }
    return this;
  }

  @Override
  public CompletionStage<Void> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription receiving) {
    subscription = receiving;
    receiving.request(1);
  }

  @Override
  public void onNext(List<ByteBuffer> parts) {
    if (firstByteAt == null) {
      firstByteAt = clock.instant();
    }
    try {
      for (ByteBuffer part : parts) {
        if (answered()) {
          measure(part);
        }
        agent.write(part);
      }
    } catch (IOException e) {
      cancel(CallCut.AGENT_GONE);
      body.completeExceptionally(e);
      return;
    }
    if (answered() && !meter.known() && account.exceeded()) {
      cancel(CallCut.BOUND_REACHED);
      body.completeExceptionally(new IOException("a bound of the run is reached"));
      return;
    }
    movedAt = clock.instant();
    Flow.Subscription receiving = subscription;
    if (receiving != null) {
      receiving.request(1);
    }
  }

  @Override
  public void onError(Throwable failure) {
    body.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    conclude(null);
    body.complete(null);
  }

  private synchronized void measure(ByteBuffer part) {
    meter.add(part);
  }

  /// True for an answer of the model, not an error of its provider.
  private boolean answered() {
    return status >= OK && status < NOT_OK;
  }

  private void conclude(@Nullable Throwable failure) {
    if (!concluded.compareAndSet(false, true)) {
      return;
    }
    boolean again = false;
    try {
      account.ended(this, end(failure));
      again = answerEnds(failure);
    } catch (IOException _) {
      again = false;
    } finally {
      over.complete(again);
    }
  }

  private boolean answerEnds(@Nullable Throwable failure) throws IOException {
    if (failure == null) {
      agent.end();
      return true;
    }
    if (cut != null || agent.begun()) {
      return false;
    }
    Optional<Refusal> why = NoAnswer.of(failure).refusal();
    if (why.isEmpty()) {
      return false;
    }
    agent.refuse(why.get(), why.get().body(asked.api()), false);
    return true;
  }

  private synchronized CallEnd end(@Nullable Throwable failure) {
    CallCut why =
        cut != null ? cut : failure != null && status != 0 ? CallCut.PROVIDER_FAILED : null;
    if (failure == null && answered()) {
      meter.end();
    }
    boolean answer = answered() || (status == 0 && why != null);
    boolean known = answered() && meter.known();
    Instant first = firstByteAt;
    ModelCall call =
        new ModelCall(
            asked.api().label(),
            status,
            first == null ? null : Duration.between(began, first).toMillis(),
            Duration.between(began, clock.instant()).toMillis(),
            asked.retry(),
            answer && !known,
            known || why == null ? null : why.label());
    return new CallEnd(
        call,
        answer ? Optional.of(meter.used(asked.bytes(), status != 0)) : Optional.empty(),
        answered() ? Optional.empty() : Optional.of(status),
        retryAfterSeconds);
  }
}
