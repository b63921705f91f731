// Linked into programs that are checked for leaks. Drivers and layers stay loaded, so that reports of their
// leaks have their names and can be suppressed.

extern "C" int dlclose(void*) { return 0; }

extern "C" const char* __lsan_default_suppressions() {
  return "leak:libLLVM\nleak:libVkLayer_khronos_validation\n";
}
