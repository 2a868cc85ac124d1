/// A session of many turns behind many other runs.
@NullMarked
package dev.runyard.bench.session;

import org.jspecify.annotations.NullMarked;
