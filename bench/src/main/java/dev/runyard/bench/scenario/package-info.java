/// Many clients at once, and what must hold however they come, leave and race.
@NullMarked
package dev.runyard.bench.scenario;

import org.jspecify.annotations.NullMarked;
