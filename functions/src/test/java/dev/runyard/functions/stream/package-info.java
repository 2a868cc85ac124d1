@NullMarked
package dev.runyard.functions.stream;

import org.jspecify.annotations.NullMarked;
