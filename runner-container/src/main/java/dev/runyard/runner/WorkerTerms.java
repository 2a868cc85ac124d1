package dev.runyard.runner;

import java.time.Duration;

/// How much and how long a runner works.
///
/// @param runsMax most runs at a time
/// @param idle exits when it had nothing to do for this long, unless it is one of those that stay
/// @param ageMax takes no more runs when it is older, and exits after those it has
/// @param runnersMin runners that stay while there is no work
public record WorkerTerms(int runsMax, Duration idle, Duration ageMax, int runnersMin) {}
