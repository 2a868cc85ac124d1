@NullMarked
package dev.runyard.runner.backend.codex;

import org.jspecify.annotations.NullMarked;
