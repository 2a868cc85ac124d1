package dev.runyard.cli.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The body that asks for a key. Absent members are left out.
///
/// @param tenant null for the caller's own
/// @param expiresInSeconds null for a key that does not expire
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NewKey(
    @Nullable String name,
    @Nullable String tenant,
    List<String> scopes,
    @Nullable @JsonProperty("expires_in_seconds") Long expiresInSeconds) {
  public NewKey {
    scopes = List.copyOf(scopes);
  }

  /// The body as it is sent.
  public byte[] json() {
    return RunyardClient.body(this).getBytes(StandardCharsets.UTF_8);
  }
}
