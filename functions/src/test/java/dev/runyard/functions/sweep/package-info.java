@NullMarked
package dev.runyard.functions.sweep;

import org.jspecify.annotations.NullMarked;
