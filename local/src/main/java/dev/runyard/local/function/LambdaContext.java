package dev.runyard.local.function;

import com.amazonaws.services.lambda.runtime.ClientContext;
import com.amazonaws.services.lambda.runtime.CognitoIdentity;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.LambdaLogger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// What a handler can find out about its call.
final class LambdaContext implements Context {
  private final String requestId = UUID.randomUUID().toString();
  private final String functionName;
  private final int memoryMegabytes;
  private final long deadlineNanos;

  LambdaContext(String functionName, int memoryMegabytes, Duration timeout) {
    this.functionName = functionName;
    this.memoryMegabytes = memoryMegabytes;
    this.deadlineNanos = System.nanoTime() + timeout.toNanos();
  }

  @Override
  public String getAwsRequestId() {
    return requestId;
  }

  @Override
  public String getLogGroupName() {
    return "/aws/lambda/" + functionName;
  }

  @Override
  public String getLogStreamName() {
    return "local";
  }

  @Override
  public String getFunctionName() {
    return functionName;
  }

  @Override
  public String getFunctionVersion() {
    return "$LATEST";
  }

  @Override
  public String getInvokedFunctionArn() {
    return FunctionEnvironment.arn(functionName);
  }

  @Override
  public @Nullable CognitoIdentity getIdentity() {
    return null;
  }

  @Override
  public @Nullable ClientContext getClientContext() {
    return null;
  }

  @Override
  public int getRemainingTimeInMillis() {
    return (int) Math.max(0, (deadlineNanos - System.nanoTime()) / 1_000_000);
  }

  @Override
  public int getMemoryLimitInMB() {
    return memoryMegabytes;
  }

  @Override
  public LambdaLogger getLogger() {
    return StandardOutput.INSTANCE;
  }

  private enum StandardOutput implements LambdaLogger {
    INSTANCE;

    @Override
    public void log(String message) {
      System.out.println(message);
    }

    @Override
    public void log(byte[] message) {
      System.out.println(new String(message, StandardCharsets.UTF_8));
    }
  }
}
