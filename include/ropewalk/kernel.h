#ifndef ROPEWALK_KERNEL_INTERFACE_H
#define ROPEWALK_KERNEL_INTERFACE_H
/* The C interface of kernels, at the path that people try first. */

#include "ropewalk/kernel/kernel.h" /* IWYU pragma: export */

#endif
