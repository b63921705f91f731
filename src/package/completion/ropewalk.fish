# Completions of ropewalk for fish. The program lists the candidates: `ropewalk complete WORDS...`.

function __ropewalk_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    command $words[1] complete $words[2..-1] (commandline --current-token) 2>/dev/null
end

# fish also offers file names, which are needed if the program offers nothing.
complete --command ropewalk --arguments '(__ropewalk_complete)'
