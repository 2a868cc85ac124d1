/// Keeps an agent's session files from one run to the next, on whichever runner.
@NullMarked
package dev.runyard.runner.session;

import org.jspecify.annotations.NullMarked;
