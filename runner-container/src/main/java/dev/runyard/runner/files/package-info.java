/// Folders that somebody else filled, and may still change: read, given and removed without
/// following what was put there.
@NullMarked
package dev.runyard.runner.files;

import org.jspecify.annotations.NullMarked;
