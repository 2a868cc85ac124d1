/// What runs that mean to do harm do to the run beside them.
@NullMarked
package dev.runyard.bench.walls;

import org.jspecify.annotations.NullMarked;
