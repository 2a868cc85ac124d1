/// Qwen Code as a backend.
@NullMarked
package dev.runyard.runner.backend.qwen;

import org.jspecify.annotations.NullMarked;
