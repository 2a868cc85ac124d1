package dev.runyard.agent.hub;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// An answer to a `session:prompt`.
///
/// @param choice the chosen one, if there were choices
public record HubReply(String content, @Nullable String choice, Instant timestamp) {}
