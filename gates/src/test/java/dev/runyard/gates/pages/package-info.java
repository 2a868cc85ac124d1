/// Compares the pages under docs/ with the code they describe.
@NullMarked
package dev.runyard.gates.pages;

import org.jspecify.annotations.NullMarked;
