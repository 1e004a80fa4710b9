# The page of reports is embedded in the program: web/bundle, which web/build generates and which is in the repository,
# so that neither node nor a network is needed here.
set(WARPSIM_BUNDLE_SOURCE ${CMAKE_BINARY_DIR}/generated/report_bundle.cc)
set(WARPSIM_BUNDLE_DIR ${CMAKE_CURRENT_SOURCE_DIR}/web/bundle)
add_custom_command(
  OUTPUT ${WARPSIM_BUNDLE_SOURCE}
  COMMAND ${CMAKE_COMMAND} -DBUNDLE=${WARPSIM_BUNDLE_DIR} -DOUTPUT=${WARPSIM_BUNDLE_SOURCE}
    -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed_bundle.cmake
  DEPENDS ${WARPSIM_BUNDLE_DIR}/report.js ${WARPSIM_BUNDLE_DIR}/report.css ${WARPSIM_BUNDLE_DIR}/report.js.hash
    ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed_bundle.cmake)
