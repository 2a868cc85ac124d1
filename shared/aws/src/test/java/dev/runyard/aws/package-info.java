@NullMarked
package dev.runyard.aws;

import org.jspecify.annotations.NullMarked;
