package dev.runyard.agent.hub;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// An answer to a `session:prompt`.
///
/// @param choice the one chosen, where there were any
public record HubReply(String content, @Nullable String choice, Instant timestamp) {}
