@NullMarked
package dev.runyard.runner.backend.claude;

import org.jspecify.annotations.NullMarked;
