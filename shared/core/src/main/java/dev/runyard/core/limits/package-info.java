/// The named limits, and how text is bounded.
@NullMarked
package dev.runyard.core.limits;

import org.jspecify.annotations.NullMarked;
