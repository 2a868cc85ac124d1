/// What can go wrong: stable codes, categories and messages that say what to do.
@NullMarked
package dev.runyard.core.problem;

import org.jspecify.annotations.NullMarked;
