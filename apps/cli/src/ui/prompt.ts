import { confirm, isCancel, password, text } from '@clack/prompts';
import { InterruptedError } from '../errors.js';
import { toOneLine } from './text.js';

/** Puts questions to a person. Only asked when {@link Asker.canAsk}: a script gets an error that names the flag instead. */
export interface Asker {
  readonly canAsk: boolean;
  askText(question: string): Promise<string>;
  /** The answer is not shown. */
  askSecret(question: string): Promise<string>;
  /** @param initial what Enter alone answers; yes unless it is told */
  askYesNo(question: string, initial?: 'yes' | 'no'): Promise<boolean>;
}

/**
 * Questions on the terminal. They are drawn on stderr, because stdout is data only.
 * @throws InterruptedError (exit 130) when the person leaves a question with Ctrl-C
 */
export function terminalAsker(streams: { stdin: NodeJS.ReadStream; stderr: NodeJS.WriteStream }): Asker {
  const io = { input: streams.stdin, output: streams.stderr };
  const answered = <Answer>(answer: Answer): Exclude<Answer, symbol> => {
    if (isCancel(answer)) throw new InterruptedError();
    return answer as Exclude<Answer, symbol>;
  };
  return {
    canAsk: streams.stdin.isTTY === true && streams.stderr.isTTY === true,
    askText: async (message) => answered(await text({ message, ...io })),
    askSecret: async (message) => answered(await password({ message, ...io })),
    askYesNo: async (message, initial = 'yes') =>
      answered(await confirm({ message, initialValue: initial === 'yes', ...io })),
  };
}

/** Returns the same asker, with what a terminal would obey escaped: questions quote names that others chose. */
export function askPlainly(asker: Asker): Asker {
  return {
    canAsk: asker.canAsk,
    askText: (question) => asker.askText(toOneLine(question)),
    askSecret: (question) => asker.askSecret(toOneLine(question)),
    askYesNo: (question, initial) => asker.askYesNo(toOneLine(question), initial),
  };
}
