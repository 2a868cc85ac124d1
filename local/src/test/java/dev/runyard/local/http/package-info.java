@NullMarked
package dev.runyard.local.http;

import org.jspecify.annotations.NullMarked;
