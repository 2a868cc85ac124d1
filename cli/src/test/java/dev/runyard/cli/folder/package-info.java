@NullMarked
package dev.runyard.cli.folder;

import org.jspecify.annotations.NullMarked;
