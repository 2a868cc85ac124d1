/// What a test may need from outside the repository, the only way to skip a test without it, and
/// programs that tests write.
@NullMarked
package dev.runyard.needs;

import org.jspecify.annotations.NullMarked;
