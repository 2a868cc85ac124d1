@NullMarked
package dev.runyard.functions.clock;

import org.jspecify.annotations.NullMarked;
