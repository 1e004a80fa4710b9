# All from Debian 12 packages; scripts/install-dependencies names them.
find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS program_options)
find_package(yaml-cpp REQUIRED)
find_package(Protobuf REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(fmt REQUIRED)
find_package(mimalloc REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(LibLZMA REQUIRED)
find_package(ZLIB REQUIRED)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  find_package(xbyak REQUIRED)  # headers only
endif()
find_package(PkgConfig REQUIRED)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(LZ4 REQUIRED IMPORTED_TARGET liblz4)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(CRYPTOPP REQUIRED IMPORTED_TARGET libcrypto++)
pkg_check_modules(QPDF REQUIRED IMPORTED_TARGET libqpdf)
pkg_check_modules(HTTPLIB REQUIRED IMPORTED_TARGET cpp-httplib)

add_library(warpsim_dependencies INTERFACE)
target_link_libraries(warpsim_dependencies INTERFACE yaml-cpp SQLite::SQLite3 fmt::fmt
  nlohmann_json::nlohmann_json LibLZMA::LibLZMA ZLIB::ZLIB PkgConfig::ZSTD PkgConfig::LZ4 PkgConfig::XXHASH PkgConfig::CRYPTOPP Threads::Threads)

# The messages of the native trace format and of timelines. Generated code is compiled without the project's warnings.
add_library(warpsim_trace_proto STATIC)
set(WARPSIM_PROTO_DIR ${CMAKE_CURRENT_BINARY_DIR}/proto)
file(MAKE_DIRECTORY ${WARPSIM_PROTO_DIR})
foreach(proto frontend/wtrace/wtrace report/perfetto_trace)
  get_filename_component(folder ${proto} DIRECTORY)
  get_filename_component(name ${proto} NAME)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/sim/${proto}.proto)
  add_custom_command(
    OUTPUT ${WARPSIM_PROTO_DIR}/${name}.pb.cc ${WARPSIM_PROTO_DIR}/${name}.pb.h
    COMMAND protobuf::protoc --proto_path=${CMAKE_CURRENT_SOURCE_DIR}/sim/${folder} --cpp_out=${WARPSIM_PROTO_DIR}
      ${source}
    DEPENDS ${source})
  target_sources(warpsim_trace_proto PRIVATE ${WARPSIM_PROTO_DIR}/${name}.pb.cc ${WARPSIM_PROTO_DIR}/${name}.pb.h)
endforeach()
target_include_directories(warpsim_trace_proto SYSTEM PUBLIC ${WARPSIM_PROTO_DIR} ${Protobuf_INCLUDE_DIRS})
target_link_libraries(warpsim_trace_proto PUBLIC protobuf::libprotobuf)
