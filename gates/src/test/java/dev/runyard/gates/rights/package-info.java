/// The rights of template.yaml against what the functions and runners call.
@NullMarked
package dev.runyard.gates.rights;

import org.jspecify.annotations.NullMarked;
