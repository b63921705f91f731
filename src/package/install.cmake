# cmake --install, and what find_package(ropewalk) reads afterwards.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ropewalk)
install(TARGETS ropewalk_headers EXPORT ropewalkTargets FILE_SET HEADERS)
install(EXPORT ropewalkTargets NAMESPACE ropewalk:: DESTINATION ${package_dir})

if(ROPEWALK_TOOL)
  set_target_properties(ropewalk_reference PROPERTIES EXPORT_NAME reference)
  install(TARGETS ropewalk_reference EXPORT ropewalkReferenceTargets FILE_SET HEADERS)
  install(EXPORT ropewalkReferenceTargets NAMESPACE ropewalk:: DESTINATION ${package_dir})
  install(TARGETS ropewalk_kernels EXPORT ropewalkKernelsTargets)
  install(EXPORT ropewalkKernelsTargets NAMESPACE ropewalk:: DESTINATION ${package_dir})
  install(TARGETS ropewalk)
endif()

configure_package_config_file(src/package/ropewalkConfig.cmake.in ${PROJECT_BINARY_DIR}/package/ropewalkConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/ropewalkConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/ropewalkConfig.cmake ${PROJECT_BINARY_DIR}/package/ropewalkConfigVersion.cmake
  src/package/ropewalk_table.cmake
  DESTINATION ${package_dir})
