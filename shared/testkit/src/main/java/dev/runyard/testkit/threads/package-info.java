/// Troubles of threads, for tests of what must go on in spite of them, and how long tests wait.
@NullMarked
package dev.runyard.testkit.threads;

import org.jspecify.annotations.NullMarked;
