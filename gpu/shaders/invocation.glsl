// Linear index of an invocation in its dispatch. Workgroups beyond the limit of the first axis continue along
// the second.
#ifndef ROPEWALK_INVOCATION
#define ROPEWALK_INVOCATION

layout(local_size_x = 64) in;

uint invocations() { return gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_WorkGroupSize.x; }

uint invocation() {
  return (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x +
         gl_LocalInvocationID.x;
}

#endif
