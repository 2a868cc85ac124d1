/// Batches of stream records, as the functions that follow the log receive them.
@NullMarked
package dev.runyard.core.batch;

import org.jspecify.annotations.NullMarked;
