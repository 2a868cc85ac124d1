@NullMarked
package dev.runyard.functions.manage;

import org.jspecify.annotations.NullMarked;
