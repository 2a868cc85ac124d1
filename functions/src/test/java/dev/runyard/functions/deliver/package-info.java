@NullMarked
package dev.runyard.functions.deliver;

import org.jspecify.annotations.NullMarked;
