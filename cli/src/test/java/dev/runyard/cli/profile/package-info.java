@NullMarked
package dev.runyard.cli.profile;

import org.jspecify.annotations.NullMarked;
