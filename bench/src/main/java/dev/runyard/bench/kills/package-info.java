/// A job whose stack is killed while it runs.
@NullMarked
package dev.runyard.bench.kills;

import org.jspecify.annotations.NullMarked;
