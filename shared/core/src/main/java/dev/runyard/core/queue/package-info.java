/// The queue of runs that wait for a runner.
@NullMarked
package dev.runyard.core.queue;

import org.jspecify.annotations.NullMarked;
