/// The front: one HTTP server that gives requests to functions as API Gateway does.
@NullMarked
package dev.runyard.local.http;

import org.jspecify.annotations.NullMarked;
