package dev.runyard.needs;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/// Skips tests that need something absent.
final class NeedsCondition implements ExecutionCondition {
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return context
        .getElement()
        .flatMap(element -> AnnotationSupport.findAnnotation(element, Needs.class))
        .map(Needs::value)
        .filter(needed -> !needed.isPresent())
        .map(needed -> ConditionEvaluationResult.disabled(needed.reason()))
        .orElseGet(() -> ConditionEvaluationResult.enabled("nothing is missing"));
  }
}
