@NullMarked
package dev.runyard.core.read;

import org.jspecify.annotations.NullMarked;
