/// Who calls, how that is known, and what they may do.
@NullMarked
package dev.runyard.core.access;

import org.jspecify.annotations.NullMarked;
