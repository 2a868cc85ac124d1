/// The backend for the Codex CLI: its command line, its output and its endings.
@NullMarked
package dev.runyard.runner.backend.codex;

import org.jspecify.annotations.NullMarked;
