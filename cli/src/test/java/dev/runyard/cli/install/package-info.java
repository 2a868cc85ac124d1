@NullMarked
package dev.runyard.cli.install;

import org.jspecify.annotations.NullMarked;
