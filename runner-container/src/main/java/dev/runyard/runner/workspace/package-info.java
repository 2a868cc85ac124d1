@NullMarked
package dev.runyard.runner.workspace;

import org.jspecify.annotations.NullMarked;
