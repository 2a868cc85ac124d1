/// A stack on a store that has been used for long.
@NullMarked
package dev.runyard.bench.big;

import org.jspecify.annotations.NullMarked;
