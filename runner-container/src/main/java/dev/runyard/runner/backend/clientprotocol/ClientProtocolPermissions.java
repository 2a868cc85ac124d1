package dev.runyard.runner.backend.clientprotocol;

import dev.runyard.core.agent.Capabilities;
import dev.runyard.runner.backend.cli.CliLaunch;
import java.util.Set;

/// Who decides what an agent asks permission for.
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

  /// True where this tool may be used without asking anybody.
  boolean permits(String toolKind) {
    return this == ALL || (this == EDITS && EDITING.contains(toolKind));
  }
}
