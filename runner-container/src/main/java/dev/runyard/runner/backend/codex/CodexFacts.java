package dev.runyard.runner.backend.codex;

import java.util.Optional;

/// What the output of a process of Codex says about its end.
///
/// @param trouble what the last complaint was about, whether or not Codex got over it
/// @param turnFailed the last turn ended in failure
/// @param understood at least one line was an event that is known here
record CodexFacts(Optional<CodexTrouble> trouble, boolean turnFailed, boolean understood) {}
