/// The ports on one machine: everything in one SQLite file, which one process uses at a time.
@NullMarked
package dev.runyard.embedded;

import org.jspecify.annotations.NullMarked;
