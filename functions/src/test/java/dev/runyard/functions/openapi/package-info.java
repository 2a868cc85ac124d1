@NullMarked
package dev.runyard.functions.openapi;

import org.jspecify.annotations.NullMarked;
