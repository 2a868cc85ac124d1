@NullMarked
package dev.runyard.runner.backend.acp;

import org.jspecify.annotations.NullMarked;
