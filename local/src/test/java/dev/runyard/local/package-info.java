@NullMarked
package dev.runyard.local;

import org.jspecify.annotations.NullMarked;
