@NullMarked
package dev.runyard.bench.figure;

import org.jspecify.annotations.NullMarked;
