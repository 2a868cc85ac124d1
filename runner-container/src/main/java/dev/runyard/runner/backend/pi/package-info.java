/// pi as a backend.
@NullMarked
package dev.runyard.runner.backend.pi;

import org.jspecify.annotations.NullMarked;
