@NullMarked
package dev.runyard.runner.backend.qwen;

import org.jspecify.annotations.NullMarked;
