@NullMarked
package dev.runyard.local.template;

import org.jspecify.annotations.NullMarked;
