/// One attempt at a run, from the queue message to the attempt's end.
@NullMarked
package dev.runyard.core.attempt;

import org.jspecify.annotations.NullMarked;
