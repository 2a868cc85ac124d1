/// The backend that repeats the prompt.
@NullMarked
package dev.runyard.runner.backend.echo;

import org.jspecify.annotations.NullMarked;
