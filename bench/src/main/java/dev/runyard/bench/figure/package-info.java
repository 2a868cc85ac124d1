/// Samples and the figures made of them: medians, percentiles and ratios.
@NullMarked
package dev.runyard.bench.figure;

import org.jspecify.annotations.NullMarked;
