/// What tests share.
@NullMarked
package dev.runyard.testkit;

import org.jspecify.annotations.NullMarked;
