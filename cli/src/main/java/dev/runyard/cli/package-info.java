/// The command line: one class per command, and the options they share.
@NullMarked
package dev.runyard.cli;

import org.jspecify.annotations.NullMarked;
