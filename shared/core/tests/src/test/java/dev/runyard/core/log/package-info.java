@NullMarked
package dev.runyard.core.log;

import org.jspecify.annotations.NullMarked;
