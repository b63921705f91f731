# Completions of ropewalk for bash. The program lists the candidates: `ropewalk complete WORDS...`.

_ropewalk() {
  local line piece rest=$COMP_LINE breaks='' kept='' word i
  local -a words=()
  # bash also splits words at = and :. Pieces without a space between them are one word of the line.
  for ((i = 0; i <= COMP_CWORD; ++i)); do
    piece=${COMP_WORDS[i]}
    if [[ $i -eq 0 || -z $rest || $rest == [[:space:]]* ]]; then
      words+=("$piece")
      rest=${rest#"${rest%%[![:space:]]*}"}
    else
      words[${#words[@]}-1]+=$piece
    fi
    rest=${rest#"$piece"}
  done
  # Candidates are whole words; bash keeps the text before the last of these characters.
  word=${words[${#words[@]}-1]}
  [[ $COMP_WORDBREAKS == *=* ]] && breaks+='='
  [[ $COMP_WORDBREAKS == *:* ]] && breaks+=':'
  [[ -n $breaks ]] && kept=${word%"${word##*[$breaks]}"}
  COMPREPLY=()
  while IFS= read -r line; do
    line=${line%%$'\t'*}
    COMPREPLY+=("${line#"$kept"}")
  done < <("${words[0]}" complete "${words[@]:1}" 2>/dev/null)
  # A value follows json= or growth= without a space.
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
}

# If the program offers nothing, complete file names.
complete -o default -F _ropewalk ropewalk
