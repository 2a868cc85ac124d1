@NullMarked
package dev.runyard.bench.stack;

import org.jspecify.annotations.NullMarked;
