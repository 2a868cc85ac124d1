@NullMarked
package dev.runyard.functions.http;

import org.jspecify.annotations.NullMarked;
