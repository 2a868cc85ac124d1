package dev.runyard.local.function;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A function that takes one event and returns one result.
///
/// One handler instance serves all calls, even concurrent ones, where Lambda would start one
/// instance per concurrent call; so a handler must not keep the state of a call. A call that
/// exceeds the timeout is interrupted and counts as failed; the cause of its [TimeoutException] has
/// the handler's stack, which shows what it waited for.
public final class LambdaFunction {
  private static final Logger LOG = System.getLogger(LambdaFunction.class.getName());

  private final String name;
  private final Duration timeout;
  private final int memoryMegabytes;
  private final RequestHandler<Object, @Nullable Object> handler;
  private final ExecutorService calls;

  /// A function whose calls run on the given threads.
  public LambdaFunction(
      String name,
      Duration timeout,
      int memoryMegabytes,
      RequestHandler<Object, @Nullable Object> handler,
      ExecutorService calls) {
    this.name = name;
    this.timeout = timeout;
    this.memoryMegabytes = memoryMegabytes;
    this.handler = handler;
    this.calls = calls;
  }

  public String name() {
    return name;
  }

  /// Calls the handler and waits until it returns.
  public Invocation invoke(Object event) {
    LambdaContext context = new LambdaContext(name, memoryMegabytes, timeout);
    AtomicReference<@Nullable Thread> handling = new AtomicReference<>();
    Future<@Nullable Object> call =
        calls.submit(
            () -> {
              handling.set(Thread.currentThread());
              return handler.handleRequest(event, context);
            });
    try {
      return new Invocation.Returned(call.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      LOG.log(Level.ERROR, name + " failed, request " + context.getAwsRequestId(), cause);
      return new Invocation.Failed(cause);
    } catch (TimeoutException e) {
      e.initCause(place(handling.get()));
      call.cancel(true);
      LOG.log(Level.ERROR, name + " timed out after " + timeout.toSeconds() + " s", e);
      return new Invocation.Failed(e);
    } catch (InterruptedException e) {
      call.cancel(true);
      Thread.currentThread().interrupt();
      return new Invocation.Failed(e);
    }
  }

  private static Throwable place(@Nullable Thread handling) {
    if (handling == null) {
      return new IllegalStateException("no thread had taken the call");
    }
    Throwable place = new IllegalStateException("the handler stood here");
    place.setStackTrace(handling.getStackTrace());
    return place;
  }
}
