package dev.runyard.core.agentcommunication;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.AgentManifest;

/// An agent in the protocol's form. What the protocol has no member for, such as capability ids and
/// the extensions a request's `config` may have, is in the annotations.
public final class AcpManifest {
  private AcpManifest() {}

  public static ObjectNode json(AgentManifest manifest) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", manifest.kind().name());
    json.put("description", manifest.description());
    manifest.card().inputContentTypes().forEach(json.putArray("input_content_types")::add);
    manifest.card().outputContentTypes().forEach(json.putArray("output_content_types")::add);
    ObjectNode metadata =
        manifest.card().metadata() instanceof ObjectNode own
            ? own.deepCopy()
            : JsonNodeFactory.instance.objectNode();
    ObjectNode annotations =
        metadata.get("annotations") instanceof ObjectNode own
            ? own
            : metadata.putObject("annotations");
    annotations.put("title", manifest.title());
    manifest.capabilities().forEach(annotations.putArray("capabilities")::add);
    annotations.set("extensions", manifest.extensionsSchema());
    return json.set("metadata", metadata);
  }
}
