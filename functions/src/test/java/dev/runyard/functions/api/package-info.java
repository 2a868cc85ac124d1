@NullMarked
package dev.runyard.functions.api;

import org.jspecify.annotations.NullMarked;
