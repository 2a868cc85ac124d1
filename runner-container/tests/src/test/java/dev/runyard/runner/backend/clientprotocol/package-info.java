@NullMarked
package dev.runyard.runner.backend.clientprotocol;

import org.jspecify.annotations.NullMarked;
