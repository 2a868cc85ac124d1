package dev.runyard.runner.backend.clientprotocol;

import dev.runyard.core.agent.Capabilities;
import dev.runyard.runner.backend.cli.CliLaunch;
import java.util.Set;

/// Who decides an agent's requests for permission.
public enum ClientProtocolPermissions {
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

  public static ClientProtocolPermissions of(CliLaunch launch) {
    return Capabilities.interactive(launch.request().extensions())
        ? ASKED
        : valueOf(launch.approval().name());
  }

  /// True if this tool may be used without asking.
  boolean permits(String toolKind) {
    return this == ALL || (this == EDITS && EDITING.contains(toolKind));
  }
}
