/// The function that looks after deadlines and lost messages every minute.
@NullMarked
package dev.runyard.functions.clock;

import org.jspecify.annotations.NullMarked;
