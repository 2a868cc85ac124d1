@NullMarked
package dev.runyard.runner.files;

import org.jspecify.annotations.NullMarked;
