/// The rights of template.yaml against what the system tests called.
@NullMarked
package dev.runyard.cli.rights;

import org.jspecify.annotations.NullMarked;
