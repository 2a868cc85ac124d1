/// Annotations as mutants need them.
@NullMarked
package org.jspecify.annotations;
