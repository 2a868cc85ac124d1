/// Folders kept in the artifact store by their contents: what is there already is not sent again.
@NullMarked
package dev.runyard.runner.kept;

import org.jspecify.annotations.NullMarked;
