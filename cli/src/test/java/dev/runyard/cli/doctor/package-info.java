@NullMarked
package dev.runyard.cli.doctor;

import org.jspecify.annotations.NullMarked;
