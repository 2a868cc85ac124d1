/// The template of the stack against the code it starts, its samples, its image and its pages.
@NullMarked
package dev.runyard.gates.template;

import org.jspecify.annotations.NullMarked;
