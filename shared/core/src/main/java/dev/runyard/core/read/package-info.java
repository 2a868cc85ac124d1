/// A run's events for its readers, in the protocol each asks for.
@NullMarked
package dev.runyard.core.read;

import org.jspecify.annotations.NullMarked;
