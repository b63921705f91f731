// Linked into programs whose leaks are looked for: drivers and layers stay loaded, so that what they keep has their name.

extern "C" int dlclose(void*) { return 0; }

extern "C" const char* __lsan_default_suppressions() {
  return "leak:libLLVM\nleak:libVkLayer_khronos_validation\n";
}
