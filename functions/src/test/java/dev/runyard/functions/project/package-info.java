@NullMarked
package dev.runyard.functions.project;

import org.jspecify.annotations.NullMarked;
