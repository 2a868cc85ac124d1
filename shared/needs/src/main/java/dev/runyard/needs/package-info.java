/// What a test may need from outside the repository, and the only way to skip a test without it.
@NullMarked
package dev.runyard.needs;

import org.jspecify.annotations.NullMarked;
