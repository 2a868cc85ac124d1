/// Reads template.yaml: the SAM template with its parameters, conditions and intrinsic functions
/// resolved to values of this machine.
@NullMarked
package dev.runyard.local.template;

import org.jspecify.annotations.NullMarked;
