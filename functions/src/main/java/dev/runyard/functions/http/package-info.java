/// Requests and answers of HTTP, as the functions and the server of streams share them.
@NullMarked
package dev.runyard.functions.http;

import org.jspecify.annotations.NullMarked;
