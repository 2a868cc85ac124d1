@NullMarked
package dev.runyard.functions.tenants;

import org.jspecify.annotations.NullMarked;
