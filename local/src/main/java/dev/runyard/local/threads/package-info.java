/// The threads that all parts of the stack run on.
@NullMarked
package dev.runyard.local.threads;

import org.jspecify.annotations.NullMarked;
