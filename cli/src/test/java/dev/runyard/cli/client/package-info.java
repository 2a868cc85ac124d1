@NullMarked
package dev.runyard.cli.client;

import org.jspecify.annotations.NullMarked;
