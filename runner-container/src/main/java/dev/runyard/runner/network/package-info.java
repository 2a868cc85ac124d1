/// What an agent may reach over the network, and what keeps it from anything else.
@NullMarked
package dev.runyard.runner.network;

import org.jspecify.annotations.NullMarked;
