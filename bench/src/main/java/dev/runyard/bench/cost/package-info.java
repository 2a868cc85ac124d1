@NullMarked
package dev.runyard.bench.cost;

import org.jspecify.annotations.NullMarked;
