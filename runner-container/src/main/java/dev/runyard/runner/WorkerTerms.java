package dev.runyard.runner;

import java.time.Duration;

/// How much and how long a runner works.
///
/// @param runsMax runs at a time
/// @param idle leaves when it had nothing to do for this long
/// @param ageMax takes no more runs when it is older, and leaves after those it has
/// @param stays whether it is one of those that are kept while there is no work, and so never idle
public record WorkerTerms(int runsMax, Duration idle, Duration ageMax, boolean stays) {}
