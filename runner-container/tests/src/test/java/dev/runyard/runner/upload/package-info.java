@NullMarked
package dev.runyard.runner.upload;

import org.jspecify.annotations.NullMarked;
