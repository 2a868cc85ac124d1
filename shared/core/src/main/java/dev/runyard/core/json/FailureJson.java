package dev.runyard.core.json;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.problem.Failure;
import org.jspecify.annotations.Nullable;

/// Why a run, a job or a task failed, as it is shown.
public final class FailureJson {
  private FailureJson() {}

  /// Puts the failure, or null where there is none.
  public static void put(ObjectNode json, String member, @Nullable Failure failure) {
    if (failure == null) {
      json.putNull(member);
      return;
    }
    json.putObject(member)
        .put("code", failure.code())
        .put("category", failure.category().wire())
        .put("message", failure.message());
  }
}
