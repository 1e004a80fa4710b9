# Up to 48 files below a folder of sim/, or 64 tests, are compiled as one: headers are read, and templates of the standard
# library instantiated, once for all of them, which takes less than half of the time. Files of one group must not give the same name
# to different things, not even in anonymous namespaces: there a name also hides one of the same spelling from a header, for all
# files of the group, without an error if it can be used in the same way. Folders whose files have many short names are
# therefore groups of their own. A hash of its name puts a file into its group, so that a new file changes no other group (until
# a folder has doubled). Without WARPSIM_UNITY_BUILD, as in the preset `debug`, each file is compiled alone and must include
# what it uses.
option(WARPSIM_UNITY_BUILD "compile groups of files as one" ON)

# `size`: approximate number of files in a group. `depth`: names of folders that form a group, as 2 for sim/<folder>.
# `own_folders`: a regular expression of folders that form groups of their own, with `own_size` files.
function(warpsim_group_by_folder target size depth own_folders own_size)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${WARPSIM_UNITY_BUILD} UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/.*\\.cc$")
  list(FILTER sources EXCLUDE REGEX "^${CMAKE_BINARY_DIR}/")
  foreach(source ${sources})
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${folder})
    set(folder_size ${own_size})
    if(NOT folder MATCHES "${own_folders}")
      set(folder_size ${size})
      string(REPLACE "/" ";" names ${folder})
      list(SUBLIST names 0 ${depth} names)
      list(JOIN names "_" folder)
    endif()
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    list(APPEND folders ${folder})
    list(APPEND files_${folder} ${source})
    set(size_${folder} ${folder_size})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder ${folders})
    list(LENGTH files_${folder} files)
    set(groups 1)
    set(room ${size_${folder}})
    while(room LESS files)
      math(EXPR groups "${groups} * 2")
      math(EXPR room "${room} * 2")
    endwhile()
    foreach(source ${files_${folder}})
      get_filename_component(name ${source} NAME)
      string(MD5 hash ${name})
      string(SUBSTRING ${hash} 0 4 digits)
      math(EXPR group "0x${digits} % ${groups}")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${group})
    endforeach()
  endforeach()
endfunction()
