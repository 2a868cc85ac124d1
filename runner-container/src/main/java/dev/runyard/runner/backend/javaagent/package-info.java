/// Agents written in Java, run in the runner itself.
@NullMarked
package dev.runyard.runner.backend.javaagent;

import org.jspecify.annotations.NullMarked;
