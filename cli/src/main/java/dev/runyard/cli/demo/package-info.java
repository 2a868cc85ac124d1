@NullMarked
package dev.runyard.cli.demo;

import org.jspecify.annotations.NullMarked;
