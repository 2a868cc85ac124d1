@NullMarked
package dev.runyard.local.function;

import org.jspecify.annotations.NullMarked;
