import { Argument, type Command } from 'commander';
import { type Cli, describeCommand } from '../shared/define.js';
import { installLines, scriptOfShell, type Shell, shells } from './shell-scripts.js';

/** `centavo completion`: prints the script of a shell; it needs no settings, because it is run at the start of every shell. */
export function addCompletion(program: Command, { io }: Cli): void {
  describeCommand(program, {
    usage: 'completion',
    summary: 'Print what makes a shell complete commands, flags and names on TAB',
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
      `\nTo have it in every new shell:\n${shells.map((shell) => `  ${installLines[shell]}`).join('\n')}`,
    )
    .action((shell: Shell) => {
      io.stdout.write(scriptOfShell[shell]);
    });
}
