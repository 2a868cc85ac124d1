/// Folders that somebody else filled: removed without following what was put there.
@NullMarked
package dev.runyard.runner.files;

import org.jspecify.annotations.NullMarked;
