/// GitHub Copilot CLI as a backend.
@NullMarked
package dev.runyard.runner.backend.copilot;

import org.jspecify.annotations.NullMarked;
