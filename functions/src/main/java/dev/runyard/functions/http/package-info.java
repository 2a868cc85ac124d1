/// HTTP requests and responses, shared by the functions and the server of streams.
@NullMarked
package dev.runyard.functions.http;

import org.jspecify.annotations.NullMarked;
