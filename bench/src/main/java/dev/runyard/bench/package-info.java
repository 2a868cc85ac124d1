/// The benchmarks: which sections there are, and the command that runs them.
@NullMarked
package dev.runyard.bench;

import org.jspecify.annotations.NullMarked;
