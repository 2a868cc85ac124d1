@NullMarked
package dev.runyard.core.hook;

import org.jspecify.annotations.NullMarked;
