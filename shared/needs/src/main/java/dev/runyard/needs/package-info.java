/// What a test may need from outside the repository, and the one way to skip a test for want of it.
@NullMarked
package dev.runyard.needs;

import org.jspecify.annotations.NullMarked;
