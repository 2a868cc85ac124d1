@NullMarked
package dev.runyard.core.runtime;

import org.jspecify.annotations.NullMarked;
