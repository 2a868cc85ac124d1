package dev.runyard.core.message;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/// Role and times of a message as the agent itself named them; without them a message has the
/// agent's role and the times of its events.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OutputHead(
    @Nullable String role, @Nullable String createdAt, @Nullable String completedAt) {}
