package dev.runyard.runner.gateway;

import dev.runyard.core.event.ModelCall;
import dev.runyard.core.usage.Usage;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How a call ended.
///
/// @param usage what it used; empty if there was no answer to pay for
/// @param failed the status by which the call counts as failed; empty if it brought an answer
/// @param retryAfterSeconds what the provider said of when to call again
record CallEnd(
    ModelCall call,
    Optional<Usage> usage,
    Optional<Integer> failed,
    @Nullable Integer retryAfterSeconds) {}
