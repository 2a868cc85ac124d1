@NullMarked
package dev.runyard.core.view;

import org.jspecify.annotations.NullMarked;
