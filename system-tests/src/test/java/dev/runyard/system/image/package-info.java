/// The runner's image, built and run as a container service would run it.
@NullMarked
package dev.runyard.system.image;

import org.jspecify.annotations.NullMarked;
