/// Agents that the operator describes in the agents file.
@NullMarked
package dev.runyard.runner.backend.command;

import org.jspecify.annotations.NullMarked;
