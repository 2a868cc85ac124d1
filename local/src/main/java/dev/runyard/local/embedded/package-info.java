/// The stack on one machine's own store: the functions and runners of the template in this process.
@NullMarked
package dev.runyard.local.embedded;

import org.jspecify.annotations.NullMarked;
