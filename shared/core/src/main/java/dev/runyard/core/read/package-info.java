/// Reading a run's events.
@NullMarked
package dev.runyard.core.read;

import org.jspecify.annotations.NullMarked;
