/// What a sweep of many open runs takes of a processor.
@NullMarked
package dev.runyard.bench.sweep;

import org.jspecify.annotations.NullMarked;
