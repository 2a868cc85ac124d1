/// Sessions: runs that follow one another under one session id.
@NullMarked
package dev.runyard.core.session;

import org.jspecify.annotations.NullMarked;
