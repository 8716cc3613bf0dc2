import { Argument, type Command } from 'commander';
import { type Cli, describeCommand } from '../shared/define.js';
import { installLines, type Shell, scriptOfShell, shells } from './shell-scripts.js';

/**
 * `centavo completion`: prints the completion script of a shell. Every new shell runs this command, so it reads no settings and
 * works even if they are invalid.
 */
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
