/// The runner: takes runs from the queue and executes them side by side.
@NullMarked
package dev.runyard.runner;

import org.jspecify.annotations.NullMarked;
