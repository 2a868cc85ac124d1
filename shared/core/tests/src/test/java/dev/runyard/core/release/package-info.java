@NullMarked
package dev.runyard.core.release;

import org.jspecify.annotations.NullMarked;
