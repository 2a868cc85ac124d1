@NullMarked
package dev.runyard.core.project;

import org.jspecify.annotations.NullMarked;
