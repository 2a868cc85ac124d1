@NullMarked
package dev.runyard.local.emulator;

import org.jspecify.annotations.NullMarked;
