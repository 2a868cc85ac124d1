@NullMarked
package dev.runyard.core.problem;

import org.jspecify.annotations.NullMarked;
