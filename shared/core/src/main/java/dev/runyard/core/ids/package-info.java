/// Names of runs and actions, and how new ones are made.
@NullMarked
package dev.runyard.core.ids;

import org.jspecify.annotations.NullMarked;
