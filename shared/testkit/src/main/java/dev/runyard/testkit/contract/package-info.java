/// One suite of tests per port. The tests of every implementation of a port extend its suite, so
/// that every implementation keeps the same promises.
@NullMarked
package dev.runyard.testkit.contract;

import org.jspecify.annotations.NullMarked;
