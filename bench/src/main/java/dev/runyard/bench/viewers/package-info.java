/// Many viewers of one run at the same time.
@NullMarked
package dev.runyard.bench.viewers;

import org.jspecify.annotations.NullMarked;
