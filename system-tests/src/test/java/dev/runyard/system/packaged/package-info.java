/// The packaged command line, run as a user runs it.
@NullMarked
package dev.runyard.system.packaged;

import org.jspecify.annotations.NullMarked;
