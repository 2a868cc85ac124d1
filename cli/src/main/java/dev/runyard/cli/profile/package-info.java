/// The servers that a user has logged in to, and how their commands show who they are there.
@NullMarked
package dev.runyard.cli.profile;

import org.jspecify.annotations.NullMarked;
