/// Threads: the turns of a session that go one after another, and the log in which their order is.
@NullMarked
package dev.runyard.core.thread;

import org.jspecify.annotations.NullMarked;
