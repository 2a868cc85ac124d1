/// What listens on the loopback address, which every process of this machine can call.
@NullMarked
package dev.runyard.runner.loopback;

import org.jspecify.annotations.NullMarked;
