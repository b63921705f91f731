# Completions of ropewalk for fish. The program itself says what may stand where: `ropewalk complete WORDS...`.

function __ropewalk_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    command $words[1] complete $words[2..-1] (commandline --current-token) 2>/dev/null
end

# Where the program offers nothing, a file is wanted: fish offers files beside what it is given.
complete --command ropewalk --arguments '(__ropewalk_complete)'
