/// Gemini CLI as a backend.
@NullMarked
package dev.runyard.runner.backend.gemini;

import org.jspecify.annotations.NullMarked;
