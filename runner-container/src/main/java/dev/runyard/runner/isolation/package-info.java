/// What keeps an attempt's processes from everything else on the machine: the level that works
/// here, a user for each attempt, and limits.
@NullMarked
package dev.runyard.runner.isolation;

import org.jspecify.annotations.NullMarked;
