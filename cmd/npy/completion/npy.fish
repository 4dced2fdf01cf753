# fish completion for npy

# The command reads the line, and fish quotes what completes it. Nothing of the line or of a file is evaluated here.
function __npy_ask
    set -g __npy_answer (command npy __line fish 0 "" (commandline -cp | string collect) 2>/dev/null)
    or set -g __npy_answer none
    set -l how $__npy_answer[1]
    set -e __npy_answer[1]
    test "$how" != default
end

complete -c npy -e
complete -k -c npy -n __npy_ask -f -a '$__npy_answer'
