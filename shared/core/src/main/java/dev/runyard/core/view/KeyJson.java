package dev.runyard.core.view;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.access.AccessKey;
import dev.runyard.core.access.Scope;
import dev.runyard.core.json.JsonFormat;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A key as those see it who manage keys: all but its text and the hash of it. Every member is
/// always present; an unknown value is null.
public final class KeyJson {
  private KeyJson() {}

  public static ObjectNode of(AccessKey key) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", key.id());
    json.put("name", key.name().orElse(null));
    json.put("tenant", key.tenant());
    key.scopes().stream().map(Scope::wire).sorted().forEach(json.putArray("scopes")::add);
    json.put("actor", key.actor());
    json.put("created_by", key.madeBy());
    json.put("created_at", JsonFormat.time(key.created()));
    json.put("expires_at", time(key.expires()));
    json.put("last_used_at", time(key.used()));
    json.put("revoked_at", time(key.revoked()));
    return json;
  }

  private static @Nullable String time(Optional<Instant> at) {
    return at.map(JsonFormat::time).orElse(null);
  }
}
