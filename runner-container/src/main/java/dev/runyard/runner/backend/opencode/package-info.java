/// opencode as a backend.
@NullMarked
package dev.runyard.runner.backend.opencode;

import org.jspecify.annotations.NullMarked;
