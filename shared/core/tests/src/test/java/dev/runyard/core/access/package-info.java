@NullMarked
package dev.runyard.core.access;

import org.jspecify.annotations.NullMarked;
