@NullMarked
package dev.runyard.core.upload;

import org.jspecify.annotations.NullMarked;
