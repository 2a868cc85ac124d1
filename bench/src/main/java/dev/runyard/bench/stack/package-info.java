/// The stack that is measured, started as a user starts it, and the bare agent it is compared with.
@NullMarked
package dev.runyard.bench.stack;

import org.jspecify.annotations.NullMarked;
