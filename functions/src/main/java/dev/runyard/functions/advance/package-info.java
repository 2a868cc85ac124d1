/// The function that advances runs when the event log changes.
@NullMarked
package dev.runyard.functions.advance;

import org.jspecify.annotations.NullMarked;
