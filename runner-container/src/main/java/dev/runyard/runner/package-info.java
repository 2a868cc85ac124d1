/// The runner: takes runs from the queue and executes them in parallel.
@NullMarked
package dev.runyard.runner;

import org.jspecify.annotations.NullMarked;
