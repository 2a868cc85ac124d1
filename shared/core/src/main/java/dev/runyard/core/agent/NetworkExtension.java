package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// What a run's agent may reach over the network, within what the operator allows it.
///
/// @param most what the operator allows
record NetworkExtension(NetworkAccess most) implements ExtensionType {
  @Override
  public Checked check(String key, JsonNode value) {
    return NetworkAccess.read(value)
        .<Checked>map(
            access ->
                most.covers(access)
                    ? new Checked.Valid(value)
                    : new Checked.Invalid(
                        key
                            + " names more than the operator allows this agent; see its schema at"
                            + " GET /v1/agents, or the member network of the agents file"))
        .orElseGet(
            () ->
                new Checked.Invalid(
                    "%s must be open, none or a list of 1 to %d hosts"
                        .formatted(key, NetworkAccess.HOSTS_MAX)));
  }

  @Override
  public ObjectNode schema() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    ObjectNode word = schema.putArray("anyOf").addObject().put("type", "string");
    switch (most) {
      case NetworkAccess.Open _ -> word.putArray("enum").add("open").add("none");
      case NetworkAccess.Hosts _ -> word.putArray("enum").add("none");
    }
    ObjectNode hosts = schema.withArray("anyOf").addObject().put("type", "array");
    hosts.put("minItems", 1).put("maxItems", NetworkAccess.HOSTS_MAX);
    ObjectNode host = hosts.putObject("items").put("type", "string");
    host.put("maxLength", NetworkAccess.HOST_BYTES_MAX)
        .put("pattern", "^" + NetworkAccess.Form.TEXT + "$");
    return schema;
  }
}
