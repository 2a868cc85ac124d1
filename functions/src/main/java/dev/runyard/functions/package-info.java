@NullMarked
package dev.runyard.functions;

import org.jspecify.annotations.NullMarked;
