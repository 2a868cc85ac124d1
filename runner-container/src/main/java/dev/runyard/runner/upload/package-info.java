/// Unpacks archives that anybody may have made.
@NullMarked
package dev.runyard.runner.upload;

import org.jspecify.annotations.NullMarked;
