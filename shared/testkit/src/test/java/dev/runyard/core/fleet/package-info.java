@NullMarked
package dev.runyard.core.fleet;

import org.jspecify.annotations.NullMarked;
