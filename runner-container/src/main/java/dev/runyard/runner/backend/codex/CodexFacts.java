package dev.runyard.runner.backend.codex;

import java.util.Optional;

/// What the output of a Codex process says about its end.
///
/// @param trouble the meaning of the last error, whether or not Codex recovered
/// @param turnFailed the last turn ended in failure
/// @param understood at least one line was a known event
record CodexFacts(Optional<CodexTrouble> trouble, boolean turnFailed, boolean understood) {}
