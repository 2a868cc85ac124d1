/// Tests of tasks.
@NullMarked
package dev.runyard.core.task;

import org.jspecify.annotations.NullMarked;
