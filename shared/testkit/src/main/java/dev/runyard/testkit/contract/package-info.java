/// One suite of tests per port. Whatever implements a port extends the suite, so that every
/// implementation keeps the promises callers rely on.
@NullMarked
package dev.runyard.testkit.contract;

import org.jspecify.annotations.NullMarked;
