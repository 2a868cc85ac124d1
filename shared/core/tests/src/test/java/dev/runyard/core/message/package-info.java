@NullMarked
package dev.runyard.core.message;

import org.jspecify.annotations.NullMarked;
