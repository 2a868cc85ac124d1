package dev.runyard.core.view;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.AgentManifest;

/// An agent as clients of the native API see it. `interactive_capabilities` are those that only
/// interactive runs have. `extensions` is a JSON Schema of a request's member of that name.
public final class AgentJson {
  private AgentJson() {}

  public static ObjectNode of(AgentManifest manifest) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("kind", manifest.kind().name());
    json.put("title", manifest.title());
    json.put("description", manifest.description());
    manifest.capabilities().forEach(json.putArray("capabilities")::add);
    manifest.whenInteractive().forEach(json.putArray("interactive_capabilities")::add);
    json.set("extensions", manifest.extensionsSchema());
    return json;
  }
}
