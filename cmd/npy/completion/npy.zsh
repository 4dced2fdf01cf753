#compdef npy

# zsh completion for npy

# The command reads the line, and zsh quotes what completes it. Nothing of the line or of a file is evaluated here.
_npy() {
    local __npy_line="${(j: :)words[1,CURRENT-1]} ${QIPREFIX}${IPREFIX}${PREFIX}"
    local -a __npy_answer __npy_how
    local -a __npy_odd=('*[^[:print:]]*' '-*') # names that zsh does not quote right within quotes, and flags
    __npy_answer=("${(@f)$(
        local __npy_text=$__npy_line match mbegin mend
        while [[ $__npy_text =~ '[$][{]?([A-Za-z_][A-Za-z0-9_]*)(.*)' ]]; do # the command sees variables that are exported
            __npy_text=$match[2]
            [[ -n ${(P)match[1]+set} ]] && export "$match[1]"
        done
        command npy __line zsh 0 "$PREFIX" "$__npy_line" 2>/dev/null
    )}")
    __npy_how=(${=__npy_answer[1]})
    shift __npy_answer
    (($#__npy_how)) || return 1
    compset -p $__npy_how[2]
    case $__npy_how[1] in
    files) _files -F __npy_odd ${__npy_how[3]:+-g} ${__npy_how[3]} ;;
    folders) _files -F __npy_odd -/ ;;
    words)
        local -a __npy_order __npy_space
        ((__npy_how[(Ie)nosort])) && __npy_order=(-V)
        ((__npy_how[(Ie)nospace])) && __npy_space=(-S '')
        _describe $__npy_order completion __npy_answer "${(@)__npy_space}"
        ;;
    esac
}

if [[ $funcstack[1] == _npy ]]; then
    _npy "$@"
else # the script was sourced
    compdef _npy npy
fi
