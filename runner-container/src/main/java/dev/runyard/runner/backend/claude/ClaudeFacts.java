package dev.runyard.runner.backend.claude;

import java.util.Optional;

/// What the output of a Claude Code process says about its end.
///
/// @param finished the last turn has a result
/// @param trouble why the last turn failed; empty when it did not
record ClaudeFacts(boolean finished, Optional<ClaudeTrouble> trouble) {}
