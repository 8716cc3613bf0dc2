import { Argument, type Command } from 'commander';
import { type Cli, describeCommand } from '../shared/define.js';
import { installLines, type Shell, scriptOfShell, shells } from './shell-scripts.js';

/** `centavo completion`: prints the script of a shell. It reads no settings, because every new shell runs it. */
export function addCompletion(program: Command, { io }: Cli): void {
  describeCommand(program, {
    usage: 'completion',
    summary: 'Print a completion script for commands, flags and names',
    examples: [
      'centavo completion bash',
      'centavo completion zsh',
      'centavo completion fish',
      'centavo completion powershell',
    ],
    options: (command) => command.addArgument(new Argument('<shell>', 'your shell').choices(shells)),
  })
    .addHelpText(
      'after',
      `\nTo load it in every new shell:\n${shells.map((shell) => `  ${installLines[shell]}`).join('\n')}`,
    )
    .action((shell: Shell) => {
      io.stdout.write(scriptOfShell[shell]);
    });
}
