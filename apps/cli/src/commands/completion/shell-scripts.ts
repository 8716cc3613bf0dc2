/**
 * The completion scripts. Each calls `centavo complete`, which prints a line `value⇥description` for each suggestion,
 * or `:files` for file names. Other users may have chosen the names on the server, so each shell quotes the inserted
 * text and never evaluates it. The scripts use no completion library: for bash, libraries pass the suggestions to
 * `compgen -W`, which executes `$(…)` in a name.
 */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

/** The output of `printf %q` is wrong inside an open quote, so names with special characters are not suggested there. */
const bash = `# bash completion for centavo
_centavo() {
  local cur=\${COMP_WORDS[COMP_CWORD]} line value IFS=$'\\n'
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      COMPREPLY=($(compgen -f -- "$cur"))
      compopt -o filenames 2>/dev/null
      return
    fi
    value=\${line%%$'\\t'*}
    case $cur in
      \\"*) [[ $value == *[\\"\\$\\\`\\\\!]* ]] || COMPREPLY+=("$value") ;;
      \\'*) [[ $value == *\\'* ]] || COMPREPLY+=("$value") ;;
      *) COMPREPLY+=("$(printf %q "$value")") ;;
    esac
  done < <(centavo complete bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _centavo centavo
`;

const zsh = `#compdef centavo
_centavo() {
  local -a lines values shown
  local line
  lines=("\${(@f)$(centavo complete zsh -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ \${lines[1]} == :files ]]; then
    _files
    return
  fi
  for line in $lines; do
    [[ -n $line ]] || continue
    values+=("\${line%%$'\\t'*}")
    shown+=("\${line/$'\\t'/  -- }")
  done
  (( $#values )) && compadd -l -d shown -a values
}
if [[ \${funcstack[1]} == _centavo ]]; then
  _centavo "$@"
else
  compdef _centavo centavo
fi
`;

const fish = `# fish completion for centavo
function __centavo_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    set -l lines (centavo complete fish -- $words[2..-1] "$last" 2>/dev/null)
    if test "$lines[1]" = ":files"
        __fish_complete_path "$last"
        return
    end
    for line in $lines
        printf '%s\\n' $line
    end
end
complete -c centavo -f -a '(__centavo_complete)'
`;

/**
 * Older versions of PowerShell do not pass an empty argument to a program. So the script adds a question mark to the last
 * word, and `centavo complete` removes the question mark.
 */
const powershell = `# PowerShell completion for centavo
Register-ArgumentCompleter -Native -CommandName centavo -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    ForEach-Object {
      if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
    })
  $words += "$($wordToComplete.Trim('''', '"'))?"
  centavo complete powershell -- @words 2>$null | ForEach-Object {
    if ($_ -eq ':files') { return }
    $value, $description = $_ -split "\`t", 2
    $text = if ($value -match '^[\\w.:=/@+-]+$') { $value } else { "'" + $value.Replace("'", "''") + "'" }
    if (-not $description) { $description = $value }
    [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $description)
  }
}
`;

export const scriptOfShell: Readonly<Record<Shell, string>> = { bash, zsh, fish, powershell };

/** The line that enables completion permanently, for the help. */
export const installLines: Readonly<Record<Shell, string>> = {
  bash: `echo 'source <(centavo completion bash)' >> ~/.bashrc`,
  zsh: `echo 'source <(centavo completion zsh)' >> ~/.zshrc`,
  fish: 'centavo completion fish > ~/.config/fish/completions/centavo.fish',
  powershell: `Add-Content $PROFILE 'centavo completion powershell | Out-String | Invoke-Expression'`,
};
