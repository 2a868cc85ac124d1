/// A person's folder as what a run begins with, and as what its change is applied to.
@NullMarked
package dev.runyard.cli.folder;

import org.jspecify.annotations.NullMarked;
