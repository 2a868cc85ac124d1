package dev.runyard.core.event;

import org.jspecify.annotations.Nullable;

/// Members of a payload that its envelope repeats, so that a reader sees what an event is about
/// without knowing its type.
interface InEnvelope {
  interface ToolCallId {
    @Nullable String toolCallId();
  }

  interface OutputRef {
    @Nullable String outputRef();
  }

  interface ProcessId {
    String processId();
  }

  interface ActionId {
    @Nullable String actionId();
  }

  interface SubagentId {
    @Nullable String subagentId();
  }
}
