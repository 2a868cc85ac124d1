@NullMarked
package dev.runyard.cli.show;

import org.jspecify.annotations.NullMarked;
