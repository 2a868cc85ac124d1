@NullMarked
package dev.runyard.core.sweep;

import org.jspecify.annotations.NullMarked;
