/// What a run costs: calls counted by kind, priced, and put together for a million runs.
@NullMarked
package dev.runyard.bench.cost;

import org.jspecify.annotations.NullMarked;
