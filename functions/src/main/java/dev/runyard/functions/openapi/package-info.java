/// The description of the API: OpenAPI 3.1, put together from one fragment per class of resources.
@NullMarked
package dev.runyard.functions.openapi;

import org.jspecify.annotations.NullMarked;
