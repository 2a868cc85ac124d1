package dev.runyard.bench.temporal;

import io.temporal.activity.ActivityOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;

/// A workflow of two activities.
@WorkflowInterface
public interface TwoSteps {
  @WorkflowMethod
  String run(String text);

  /// One activity after the other.
  final class InTurn implements TwoSteps {
    private final Steps steps =
        Workflow.newActivityStub(
            Steps.class,
            ActivityOptions.newBuilder().setStartToCloseTimeout(Duration.ofSeconds(10)).build());

    @Override
    public String run(String text) {
      return steps.second(steps.first(text));
    }
  }
}
