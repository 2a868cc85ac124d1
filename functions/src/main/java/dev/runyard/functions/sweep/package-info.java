/// The function that handles deadlines and lost messages every minute.
@NullMarked
package dev.runyard.functions.sweep;

import org.jspecify.annotations.NullMarked;
