/// What all functions share: wiring from the environment, the log, and batches of runs.
@NullMarked
package dev.runyard.functions;

import org.jspecify.annotations.NullMarked;
