/// What the backends of one-way CLIs share: they take a prompt and print what happens.
@NullMarked
package dev.runyard.runner.backend.cli;

import org.jspecify.annotations.NullMarked;
