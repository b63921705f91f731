// Division by a number that is the same for all invocations, by multiplication: devices have no divider.
#include "gpu/shaders/calls.glsl"

uint quotient(uint n, divisor by) {
  uint high, low;
  umulExtended(2u * n, by.multiplier, high, low);
  return high >> by.shift;
}
