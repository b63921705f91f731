# cpack -G DEB: one package each for the shared library, the development files and the program. Configure with
# CMAKE_INSTALL_PREFIX=/usr, as the preset `deb` does, for Debian's library folder.
set(CPACK_PACKAGE_CONTACT "The ropewalk authors" CACHE STRING "Maintainer of packages: NAME <ADDRESS>")
set(CPACK_PACKAGE_NAME ropewalk)
set(CPACK_PACKAGE_VENDOR ropewalk)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL dev)
if(ROPEWALK_KERNELS)
  list(APPEND CPACK_COMPONENTS_ALL kernels)
endif()
if(ROPEWALK_TOOL)
  list(APPEND CPACK_COMPONENTS_ALL tool)
endif()

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_KERNELS_PACKAGE_NAME ${library_package})
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libropewalk-dev)
set(CPACK_DEBIAN_TOOL_PACKAGE_NAME ropewalk)
set(CPACK_DEBIAN_KERNELS_DESCRIPTION
  "Canonical kernels for transformer positional encodings (shared library)")
set(CPACK_DEBIAN_DEV_DESCRIPTION "Exact transformer positional encodings: headers, and kernels to link")
set(CPACK_DEBIAN_TOOL_DESCRIPTION
  "Holds kernels for transformer positional encodings to their laws, and writes tables")
set(CPACK_DEBIAN_KERNELS_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION devel)

set(CPACK_DEBIAN_KERNELS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TOOL_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY =)
if(ROPEWALK_KERNELS)
  set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${library_package} (= ${PROJECT_VERSION})")
endif()
set(CPACK_DEBIAN_TOOL_PACKAGE_RECOMMENDS "libvulkan1, mesa-vulkan-drivers")  # loaded at run time
# Highway for linking the static kernels, Boost for the reference.
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "libhwy-dev, libboost-dev (>= 1.81)")
include(CPack)
