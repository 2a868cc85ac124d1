@NullMarked
package dev.runyard.core.request;

import org.jspecify.annotations.NullMarked;
