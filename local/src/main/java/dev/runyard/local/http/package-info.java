/// The front server: one HTTP server that passes requests to functions as API Gateway does.
@NullMarked
package dev.runyard.local.http;

import org.jspecify.annotations.NullMarked;
