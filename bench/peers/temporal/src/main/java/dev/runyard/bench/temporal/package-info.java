/// Temporal's test server, a worker and a client of it in one process.
@NullMarked
package dev.runyard.bench.temporal;

import org.jspecify.annotations.NullMarked;
