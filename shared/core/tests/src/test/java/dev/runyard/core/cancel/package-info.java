@NullMarked
package dev.runyard.core.cancel;

import org.jspecify.annotations.NullMarked;
