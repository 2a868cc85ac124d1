/// Checks of the deployment template and of what it deploys.
@NullMarked
package dev.runyard.functions;

import org.jspecify.annotations.NullMarked;
