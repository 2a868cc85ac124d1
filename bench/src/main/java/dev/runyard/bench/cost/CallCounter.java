package dev.runyard.bench.cost;

import java.lang.StackWalker.StackFrame;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/// Counts the calls of every AWS client that is made where this class is on the class path, each
/// for the function or runner whose code made it. Its name stands in the SDK's list of global
/// interceptors, so that the product is measured as it is. Whoever else calls, such as the local
/// stack itself, is not counted.
public final class CallCounter implements ExecutionInterceptor {
  static final String RUNNER = "runner";
  private static final String RUNNER_PACKAGE = "dev.runyard.runner";
  private static final String FUNCTIONS = "dev.runyard.functions.";

  /// Other packages beside theirs are of all of them.
  private static final Set<String> FUNCTION_PACKAGES =
      Set.of("api", "manage", "stream", "project", "advance", "sweep", "deliver");

  private static final StackWalker STACK = StackWalker.getInstance();
  private static final ExecutionAttribute<Ledger.Page> PAGE =
      new ExecutionAttribute<>("dev.runyard.bench.page");

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    caller()
        .ifPresent(
            caller -> {
              Ledger.Page page = Ledger.of(caller);
              page.enteredOn(Thread.currentThread());
              attributes.putAttribute(PAGE, page);
            });
  }

  @Override
  public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
    return page(attributes)
        .map(page -> page.meter().modifyRequest(context, attributes))
        .orElseGet(context::request);
  }

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    page(attributes).ifPresent(page -> page.meter().beforeTransmission(context, attributes));
  }

  @Override
  public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
    page(attributes)
        .ifPresent(
            page -> {
              page.meter().afterExecution(context, attributes);
              page.unreportedRead(UnreportedRead.units(context.request(), context.response()));
              if (context.request() instanceof PutItemRequest put
                  && put.item().containsKey("writer")) {
                page.stored(ItemSize.bytes(put.item()));
              }
              Ledger.keep();
            });
  }

  @Override
  public void onExecutionFailure(Context.FailedExecution context, ExecutionAttributes attributes) {
    page(attributes)
        .ifPresent(
            page -> {
              if (context.exception() instanceof ConditionalCheckFailedException
                  && context.request() instanceof PutItemRequest put) {
                page.refused(ItemSize.writeUnits(put.item()));
              }
              Ledger.keep();
            });
  }

  private static Optional<Ledger.Page> page(ExecutionAttributes attributes) {
    return Optional.ofNullable(attributes.getAttribute(PAGE));
  }

  private static Optional<String> caller() {
    return STACK.walk(
        frames ->
            frames
                .map(StackFrame::getClassName)
                .map(CallCounter::callerOf)
                .flatMap(Optional::stream)
                .findFirst());
  }

  /// The function or runner a class belongs to.
  static Optional<String> callerOf(String className) {
    String inPackage = className.substring(0, Math.max(0, className.lastIndexOf('.')));
    if (inPackage.startsWith(RUNNER_PACKAGE)) {
      return Optional.of(RUNNER);
    }
    return inPackage.startsWith(FUNCTIONS)
        ? Optional.of(inPackage.substring(FUNCTIONS.length())).filter(FUNCTION_PACKAGES::contains)
        : Optional.empty();
  }
}
