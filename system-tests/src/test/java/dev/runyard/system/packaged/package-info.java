/// The command line as it is packaged, run as a user runs it.
@NullMarked
package dev.runyard.system.packaged;

import org.jspecify.annotations.NullMarked;
