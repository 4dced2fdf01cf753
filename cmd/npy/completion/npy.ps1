# PowerShell completion for npy

# The command reads the line and quotes what completes it. Nothing of the line or of a file is evaluated here. Both ways the
# text is ASCII: the line in Base64, the answer in JSON.
Register-ArgumentCompleter -Native -CommandName npy -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $line = $commandAst.Extent.Text
    $end = $cursorPosition - $commandAst.Extent.StartOffset
    if ($end -lt $line.Length) {
        $line = $line.Substring(0, $end)
    } elseif ($end -gt $line.Length) {
        $line += ' '
    }
    $base64 = [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes($line))
    $passing = if (Test-Path variable:PSNativeCommandArgumentPassing) { "$PSNativeCommandArgumentPassing" } else { 'Legacy' }
    $program = Get-Command -Name npy -CommandType Application -TotalCount 1 -ErrorAction SilentlyContinue
    if (-not $program) {
        return
    }
    $answer = & $program __line powershell $passing - $base64 2>$null
    if (-not $answer) {
        return
    }
    foreach ($offer in ($answer | ConvertFrom-Json)) {
        if ($offer.Text -eq '') {
            '' # stops PowerShell from offering files
        } else {
            [System.Management.Automation.CompletionResult]::new($offer.Text, $offer.List, 'ParameterValue', $offer.Tip)
        }
    }
}
