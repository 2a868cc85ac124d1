/// A run's messages, written as events and read from them again.
@NullMarked
package dev.runyard.core.transcript;

import org.jspecify.annotations.NullMarked;
