@NullMarked
package dev.runyard.bench.handler;

import org.jspecify.annotations.NullMarked;
