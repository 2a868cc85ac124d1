@NullMarked
package dev.runyard.core.clock;

import org.jspecify.annotations.NullMarked;
