/// Repositories and a server of them, made by git itself.
@NullMarked
package dev.runyard.testkit.git;

import org.jspecify.annotations.NullMarked;
