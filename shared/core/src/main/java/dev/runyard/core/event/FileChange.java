package dev.runyard.core.event;

import com.fasterxml.jackson.annotation.JsonProperty;

/// What an agent did to a file.
public enum FileChange {
  @JsonProperty("created")
  CREATED,
  @JsonProperty("modified")
  MODIFIED,
  @JsonProperty("deleted")
  DELETED
}
