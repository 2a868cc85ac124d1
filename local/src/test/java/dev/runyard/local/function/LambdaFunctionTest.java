package dev.runyard.local.function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.aws.Settings;
import dev.runyard.local.fixture.ChangesHandler;
import dev.runyard.local.rights.RoleKeys;
import dev.runyard.local.template.FunctionDeclaration;
import dev.runyard.local.template.TemplateException;
import dev.runyard.testkit.threads.TestPatience;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LambdaFunctionTest {
  private static final FunctionEnvironment STACK =
      new FunctionEnvironment(
          URI.create("http://127.0.0.1:1"),
          URI.create("http://127.0.0.1:2"),
          URI.create("http://127.0.0.1:3"),
          URI.create("http://127.0.0.1:4"),
          URI.create("http://127.0.0.1:5"),
          URI.create("http://127.0.0.1:6"),
          RoleKeys.drawn(new SecureRandom()));

  private static final Duration LIMIT = Duration.ofMillis(1);

  private final CountDownLatch begun = new CountDownLatch(1);
  private ExecutorService calls;

  @BeforeEach
  void start() {
    calls = Executors.newVirtualThreadPerTaskExecutor();
  }

  @AfterEach
  void stop() {
    calls.shutdownNow();
  }

  @Test
  void givesTheHandlerItsContext() {
    LambdaFunction function =
        new LambdaFunction(
            "F", TestPatience.LONG, 256, (event, context) -> describe(context), calls);
    Invocation.Returned returned =
        assertInstanceOf(Invocation.Returned.class, function.invoke("event"));
    assertEquals("F 256 arn:aws:lambda:us-east-1:000000000000:function:F true", returned.value());
  }

  @Test
  void interruptsACallThatTakesTooLong() throws InterruptedException {
    CountDownLatch interrupted = new CountDownLatch(1);
    LambdaFunction function =
        new LambdaFunction(
            "slow",
            LIMIT,
            128,
            (event, context) -> {
              begun.countDown();
              try {
                return new CountDownLatch(1).await(1, TimeUnit.HOURS);
              } catch (InterruptedException e) {
                interrupted.countDown();
                return false;
              }
            },
            onceBegun());
    Invocation.Failed failed = assertInstanceOf(Invocation.Failed.class, function.invoke("event"));
    assertInstanceOf(TimeoutException.class, failed.cause());
    assertTrue(interrupted.await(TestPatience.LONG_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void reportsWhereAHandlerWasThatTookTooLong() {
    LambdaFunction function =
        new LambdaFunction("slow", LIMIT, 128, (event, context) -> waitForNothing(), onceBegun());

    Invocation.Failed failed = assertInstanceOf(Invocation.Failed.class, function.invoke("event"));

    Throwable stood = assertInstanceOf(IllegalStateException.class, failed.cause().getCause());
    List<String> places =
        Arrays.stream(stood.getStackTrace()).map(StackTraceElement::getMethodName).toList();
    assertTrue(places.contains("waitForNothing"), places::toString);
  }

  /// Threads whose call has no time before its handler has begun.
  private ExecutorService onceBegun() {
    return new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>()) {
      @Override
      public void execute(Runnable call) {
        calls.execute(call);
        try {
          begun.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    };
  }

  private boolean waitForNothing() {
    begun.countDown();
    try {
      return new CountDownLatch(1).await(1, TimeUnit.HOURS);
    } catch (InterruptedException e) {
      return false;
    }
  }

  @Test
  void loadsOnlyHandlersThatTakeTheirEvents() {
    FunctionLoader loader =
        new FunctionLoader(
            (function, type, variables) ->
                type.getConstructor(Map.class).newInstance(STACK.of(function, variables)),
            calls);
    FunctionDeclaration changes = declaration(ChangesHandler.class.getName() + "::handleRequest");
    assertEquals("F", loader.function(changes, Map.of(), List.of(DynamodbEvent.class)).name());
    assertThrows(
        TemplateException.class,
        () -> loader.function(changes, Map.of(), List.of(ScheduledEvent.class)));
    assertThrows(
        TemplateException.class,
        () -> loader.function(declaration("java.lang.String"), Map.of(), List.of()));
    assertThrows(
        TemplateException.class,
        () -> loader.server(changes, Map.of("MAIN_CLASS", ChangesHandler.class.getName())));
  }

  @Test
  void leavesEachFunctionTimeForTwoCallsOfEmulatorsThatFail() {
    assertEquals("7", callSeconds(15));
    assertEquals("29", callSeconds(60));
    assertEquals("60", callSeconds(900));
    assertEquals("6", callSeconds(5));
  }

  private static String callSeconds(int timeoutSeconds) {
    return Objects.requireNonNull(
        STACK
            .of(declaration("F", Duration.ofSeconds(timeoutSeconds)), Map.of())
            .get(Settings.CALL_SECONDS));
  }

  private static FunctionDeclaration declaration(String handler) {
    return declaration(handler, Duration.ofSeconds(5));
  }

  private static FunctionDeclaration declaration(String handler, Duration timeout) {
    return new FunctionDeclaration(
        "F",
        "F",
        handler,
        timeout,
        128,
        OptionalInt.empty(),
        JsonNodeFactory.instance.objectNode(),
        List.of());
  }

  private static String describe(Context context) {
    return context.getFunctionName()
        + " "
        + context.getMemoryLimitInMB()
        + " "
        + context.getInvokedFunctionArn()
        + " "
        + (context.getRemainingTimeInMillis() > 0);
  }
}
