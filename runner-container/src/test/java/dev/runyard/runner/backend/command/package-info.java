@NullMarked
package dev.runyard.runner.backend.command;

import org.jspecify.annotations.NullMarked;
