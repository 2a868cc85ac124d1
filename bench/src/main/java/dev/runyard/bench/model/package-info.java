/// What the model gateway adds to a call of a model.
@NullMarked
package dev.runyard.bench.model;

import org.jspecify.annotations.NullMarked;
