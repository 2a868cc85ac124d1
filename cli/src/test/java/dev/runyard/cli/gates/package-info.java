@NullMarked
package dev.runyard.cli.gates;

import org.jspecify.annotations.NullMarked;
