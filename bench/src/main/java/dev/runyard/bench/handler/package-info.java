/// The functions' handlers measured without network, on in-memory ports.
@NullMarked
package dev.runyard.bench.handler;

import org.jspecify.annotations.NullMarked;
