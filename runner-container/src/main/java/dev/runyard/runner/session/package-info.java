/// Keeps what an agent remembers of a session from one run to the next, on whatever runner.
@NullMarked
package dev.runyard.runner.session;

import org.jspecify.annotations.NullMarked;
