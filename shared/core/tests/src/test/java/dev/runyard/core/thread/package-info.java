/// Tests of threads.
@NullMarked
package dev.runyard.core.thread;

import org.jspecify.annotations.NullMarked;
