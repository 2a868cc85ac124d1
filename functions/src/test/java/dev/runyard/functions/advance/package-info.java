@NullMarked
package dev.runyard.functions.advance;

import org.jspecify.annotations.NullMarked;
