/// What an agent needs a person for, and how it is decided.
@NullMarked
package dev.runyard.core.action;

import org.jspecify.annotations.NullMarked;
