# Rules for cmake --install, and the files for find_package(ropewalk) and pkg-config. Components: `kernels`,
# the shared library; `dev`, headers, archives and package files; `tool`, the program; `bench`, the measuring
# program that `ropewalk bench` runs, if Google Benchmark is installed; `mpi`, the module that the program
# loads under an MPI launcher, if MPI is installed. The installed tree is relocatable unless
# CMAKE_INSTALL_LIBDIR is absolute.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ropewalk)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
set(library_package libropewalk-kernels${PROJECT_VERSION_MAJOR})

# Installs a target with a separate export file, so that a project needs only the dependencies of the targets
# that it uses.
function(install_target target export)
  install(TARGETS ${target} EXPORT ${export}
    LIBRARY COMPONENT kernels NAMELINK_COMPONENT dev
    ARCHIVE COMPONENT dev
    FILE_SET HEADERS COMPONENT dev)
  install(EXPORT ${export} NAMESPACE ropewalk:: DESTINATION ${package_dir} COMPONENT dev)
endfunction()

function(install_license component package)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package} RENAME copyright
    COMPONENT ${component})
endfunction()

# Installs a pkg-config file. Its prefix is relative to its location unless CMAKE_INSTALL_LIBDIR is absolute.
function(install_pkgconfig name)
  set(prefix ${CMAKE_INSTALL_PREFIX})
  if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    file(RELATIVE_PATH up /${pkgconfig_dir} /)
    set(prefix "\${pcfiledir}/${up}")
    string(REGEX REPLACE "/$" "" prefix "${prefix}")
  endif()
  set(libdir "\${prefix}")
  cmake_path(APPEND libdir "${CMAKE_INSTALL_LIBDIR}")
  set(includedir "\${prefix}")
  cmake_path(APPEND includedir "${CMAKE_INSTALL_INCLUDEDIR}")
  # Libraries that a C compiler must link with the archive: those that only C++ links by default.
  set(static_libraries ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
  list(REMOVE_ITEM static_libraries ${CMAKE_C_IMPLICIT_LINK_LIBRARIES})
  list(TRANSFORM static_libraries PREPEND -l)
  list(JOIN static_libraries " " static_libraries)
  configure_file(src/package/${name}.pc.in ${PROJECT_BINARY_DIR}/package/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/package/${name}.pc DESTINATION ${pkgconfig_dir} COMPONENT dev)
endfunction()

install_target(ropewalk_headers ropewalkTargets)
install_pkgconfig(ropewalk)
install_license(dev libropewalk-dev)
install(FILES src/package/example_kernel.c COMPONENT dev DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/libropewalk-dev/examples)
if(ROPEWALK_KERNELS)
  install_target(ropewalk_exact ropewalkExactTargets)
  install_target(ropewalk_kernels ropewalkKernelsTargets)
  install_target(ropewalk_kernels_static ropewalkKernelsStaticTargets)
  install_pkgconfig(ropewalk-kernels)
  install_license(kernels ${library_package})
endif()
if(ROPEWALK_TOOL)
  set_target_properties(ropewalk_reference PROPERTIES EXPORT_NAME reference)
  install_target(ropewalk_reference ropewalkReferenceTargets)
  set_target_properties(ropewalk_digits PROPERTIES EXPORT_NAME digits)
  install_target(ropewalk_digits ropewalkDigitsTargets)
  install_target(ropewalk_laws ropewalkLawsTargets)
  install(TARGETS ropewalk RUNTIME COMPONENT tool)
  set(completions src/package/completion)
  install(FILES ${completions}/ropewalk.bash COMPONENT tool
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions RENAME ropewalk)
  install(FILES ${completions}/_ropewalk COMPONENT tool
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/zsh/vendor-completions)
  install(FILES ${completions}/ropewalk.fish COMPONENT tool
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d)
  # OPTIONAL: there are none where the program cannot run on the machine that builds it.
  install(DIRECTORY ${PROJECT_BINARY_DIR}/man/ COMPONENT tool DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
  file(GLOB schemas CONFIGURE_DEPENDS src/report/*.schema.json)
  install(FILES ${schemas} COMPONENT tool
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/ropewalk)
  install(DIRECTORY src/python/ COMPONENT python DESTINATION lib/python3/dist-packages
    FILES_MATCHING PATTERN "*.py" PATTERN "__pycache__" EXCLUDE)
  # pytest finds its plugin through this metadata.
  set(package_info ropewalk-${PROJECT_VERSION}.dist-info)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/package/METADATA @ONLY
    CONTENT "Metadata-Version: 2.1\nName: ropewalk\nVersion: @PROJECT_VERSION@\n")
  install(FILES ${PROJECT_BINARY_DIR}/package/METADATA src/package/entry_points.txt COMPONENT python
    DESTINATION lib/python3/dist-packages/${package_info})
  install_license(tool ropewalk)
  if(TARGET ropewalk_bench)  # OPTIONAL: a build of some targets alone may be installed
    install(TARGETS ropewalk_bench RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/ropewalk COMPONENT bench OPTIONAL)
    install_license(bench ropewalk-bench)
  endif()
  if(TARGET ropewalk_mpi)  # where the program looks for it, whatever the folder of other libraries
    install(TARGETS ropewalk_mpi LIBRARY DESTINATION lib/ropewalk COMPONENT mpi OPTIONAL)
    install_license(mpi ropewalk-mpi)
  endif()
  install_license(python python3-ropewalk)
endif()

configure_package_config_file(src/package/ropewalkConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/ropewalkConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/ropewalkConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/ropewalkConfig.cmake
  ${PROJECT_BINARY_DIR}/package/ropewalkConfigVersion.cmake
  src/package/ropewalk_add_verify_test.cmake
  src/package/ropewalk_table.cmake
  src/package/ropewalk_compiled_table.cmake
  DESTINATION ${package_dir} COMPONENT dev)

if(PROJECT_IS_TOP_LEVEL)
  include(src/package/deb.cmake)
endif()
