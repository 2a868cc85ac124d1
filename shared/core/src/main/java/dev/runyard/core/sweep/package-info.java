/// What must happen without anybody's doing: deadlines, lost messages, missed records.
@NullMarked
package dev.runyard.core.sweep;

import org.jspecify.annotations.NullMarked;
