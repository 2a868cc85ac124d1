/// A run's events for its readers, in the words of the protocol each asks for.
@NullMarked
package dev.runyard.core.read;

import org.jspecify.annotations.NullMarked;
