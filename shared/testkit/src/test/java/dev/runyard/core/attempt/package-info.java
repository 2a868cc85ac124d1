@NullMarked
package dev.runyard.core.attempt;

import org.jspecify.annotations.NullMarked;
