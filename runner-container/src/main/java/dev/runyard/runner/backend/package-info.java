/// What every backend shares: an agent's process, its output as events, its input and its end.
@NullMarked
package dev.runyard.runner.backend;

import org.jspecify.annotations.NullMarked;
