/// Agents written in Java, each attempt executed in a process of its own.
@NullMarked
package dev.runyard.runner.backend.javaagent;

import org.jspecify.annotations.NullMarked;
