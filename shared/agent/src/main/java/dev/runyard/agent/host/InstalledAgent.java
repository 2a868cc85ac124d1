package dev.runyard.agent.host;

import dev.runyard.core.agent.AgentCard;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/// A Java agent that can be executed, as it described itself. Its code is in no class loader of
/// this process.
///
/// @param type its class
/// @param jars its class path, beside the classes of a host
public record InstalledAgent(
    String type, String name, String description, AgentCard card, List<Path> jars) {
  public InstalledAgent {
    Objects.requireNonNull(type);
    Objects.requireNonNull(name);
    Objects.requireNonNull(description);
    Objects.requireNonNull(card);
    jars = List.copyOf(jars);
  }
}
