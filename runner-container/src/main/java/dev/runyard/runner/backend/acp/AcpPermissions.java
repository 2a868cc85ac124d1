package dev.runyard.runner.backend.acp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.agent.StandardExtensions;
import dev.runyard.runner.backend.AgentRunRequest;
import java.util.Locale;
import java.util.Set;

/// Who decides what an agent asks permission for.
enum AcpPermissions {
  /// A person.
  ASKED,
  /// Nobody: it is refused.
  NONE,
  /// Nobody: changes of files are permitted, anything else is refused.
  EDITS,
  /// Nobody: it is permitted.
  ALL;

  /// The kinds of tools that change files and do nothing else.
  private static final Set<String> EDITING = Set.of("edit", "delete", "move");

  static AcpPermissions of(AgentRunRequest request) {
    JsonNode alone = request.extensions().get(Capabilities.NON_INTERACTIVE);
    if (alone != null && !alone.asBoolean()) {
      return ASKED;
    }
    JsonNode approval = request.extensions().get(StandardExtensions.approvalKey(request.kind()));
    String name = approval == null ? StandardExtensions.APPROVAL_DEFAULT : approval.asText();
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  /// True where this tool may be used without asking anybody.
  boolean permits(String toolKind) {
    return this == ALL || (this == EDITS && EDITING.contains(toolKind));
  }
}
