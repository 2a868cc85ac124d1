/// What the build packaged: what it holds, under which licences, and that it says no time.
@NullMarked
package dev.runyard.gates.archives;

import org.jspecify.annotations.NullMarked;
