/// Catching up every minute: deadlines, lost messages, missed records.
@NullMarked
package dev.runyard.core.sweep;

import org.jspecify.annotations.NullMarked;
