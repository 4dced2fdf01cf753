
# Completes a word with an open quote: 'q.npy[ or q.npy[' or m.npz["
__npy_in_quotes() {
    local line="${COMP_LINE:0:COMP_POINT}" quote="" start=0 open=0 i c
    for ((i = 0; i < ${#line}; i++)); do
        c="${line:i:1}"
        if [[ -n ${quote} ]]; then
            [[ ${c} == "${quote}" ]] && quote=""
        elif [[ ${c} == [\'\"] ]]; then
            quote="${c}" open=$((i + 1))
        elif [[ ${c} == \\ ]]; then
            ((i++))
        elif [[ ${c} == [[:space:]] ]]; then
            start=$((i + 1))
        fi
    done
    if [[ -z ${quote} ]]; then
        __start_npy
        return
    fi

    # The text from the quote on is what bash replaces. The text before it belongs to each completion.
    local before="${line:start:open-start-1}" typed="${line:open}" words="${line:0:start}" out word ask
    words="${words#*[[:space:]]}"
    COMPREPLY=()
    ask="${before}${typed}"
    [[ ${before} == *\[ ]] && ask="${before}"
    out=$(eval "${COMP_WORDS[0]} __completeNoDesc ${words} $(printf %q "${ask}")" 2>/dev/null) || return
    while IFS= read -r word; do
        [[ ${word} == "${before}"* && ${word} != :* ]] || continue
        word="${word#"${before}"}"
        if [[ ${before} == *\[ ]]; then # the name of a field or a member; its own quotes are there already
            word="${word%]}"
            [[ ${word} == [\'\"]* ]] && word="${word:1:${#word}-2}"
        fi
        [[ ${word} == "${typed}"* ]] && COMPREPLY+=("${word}")
    done <<<"${out}"
    if ((${#COMPREPLY[@]} == 0)); then
        compopt -o default +o nospace
    else
        compopt -o nospace
    fi
}

if [[ $(type -t compopt) = "builtin" ]]; then
    complete -o default -F __npy_in_quotes npy
fi
