/// Compares the pages under docs/ with the code they describe.
@NullMarked
package dev.runyard.core.docs;

import org.jspecify.annotations.NullMarked;
