/// How long a tenant waits for the backlog of another.
@NullMarked
package dev.runyard.bench.fairness;

import org.jspecify.annotations.NullMarked;
