@NullMarked
package dev.runyard.local.model;

import org.jspecify.annotations.NullMarked;
