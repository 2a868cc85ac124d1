@NullMarked
package dev.runyard.core.change;

import org.jspecify.annotations.NullMarked;
