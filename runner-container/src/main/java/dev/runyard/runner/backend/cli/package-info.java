/// What the backends of CLIs share that take a prompt and print their events.
@NullMarked
package dev.runyard.runner.backend.cli;

import org.jspecify.annotations.NullMarked;
