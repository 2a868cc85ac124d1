/// What an agent used: tokens, answers of its model, dollars.
@NullMarked
package dev.runyard.core.usage;

import org.jspecify.annotations.NullMarked;
