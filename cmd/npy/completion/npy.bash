# bash completion for npy

# The command reads the line and quotes what completes it. Nothing of the line or of a file is evaluated here.
__npy_complete() {
    local __npy_line="${COMP_LINE:0:COMP_POINT}" __npy_typed="$2" __npy_answer __npy_text
    COMPREPLY=()
    __npy_answer=$(
        __npy_text="${__npy_line}"
        while [[ ${__npy_text} =~ [$][{]?([A-Za-z_][A-Za-z0-9_]*)(.*) ]]; do # the command sees variables that are exported
            __npy_text="${BASH_REMATCH[2]}"
            export "${BASH_REMATCH[1]}"
        done
        COLUMNS="${COLUMNS:-80}" command npy __line bash "${COMP_TYPE:-9}" "${__npy_typed}" "${__npy_line}" 2>/dev/null
    ) || return 0
    __npy_text="${__npy_answer%%$'\n'*}"
    if [[ -n ${__npy_text} && $(type -t compopt) == builtin ]]; then
        local __npy_option
        for __npy_option in nospace nosort bashdefault; do
            [[ " ${__npy_text} " == *" ${__npy_option} "* ]] && compopt -o "${__npy_option}" 2>/dev/null # nosort: bash 4.4
        done
        [[ " ${__npy_text} " == *" filenames "* ]] && compopt -o noquote 2>/dev/null && compopt -o filenames
    fi
    [[ ${__npy_answer} == *$'\n'* ]] || return 0
    while IFS= read -r __npy_text; do
        COMPREPLY+=("${__npy_text}")
    done <<<"${__npy_answer#*$'\n'}"
    return 0
}

if [[ $(type -t compopt) == builtin ]]; then
    complete -F __npy_complete npy
else # bash 3
    complete -o bashdefault -F __npy_complete npy
fi
