import { InterruptedError } from '../errors.js';
import { toOneLine } from './text.js';

/**
 * Asks the user questions. Call its methods only if {@link Prompt.isInteractive} is true. If it is false, report an error that
 * names the flag to use instead.
 */
export interface Prompt {
  readonly isInteractive: boolean;
  text(question: string): Promise<string>;
  /** Asks for a secret, and does not show the typed answer. */
  secret(question: string): Promise<string>;
  /** @param initial the answer if the user only presses Enter; yes by default */
  confirm(question: string, initial?: 'yes' | 'no'): Promise<boolean>;
}

/**
 * Returns a prompt on the terminal. The prompt writes to stderr, because stdout is for data only.
 * @throws InterruptedError (exit 130) when the user presses Ctrl-C or Escape at a question
 */
export function terminalPrompt(streams: { stdin: NodeJS.ReadStream; stderr: NodeJS.WriteStream }): Prompt {
  const terminal = { input: streams.stdin, output: streams.stderr };
  const ask = async <Answer>(question: (clack: Clack) => Promise<Answer>): Promise<Exclude<Answer, symbol>> => {
    // The package is loaded only for a question, because most commands ask nothing.
    const clack = await import('@clack/prompts');
    const answer = await question(clack);
    if (clack.isCancel(answer)) throw new InterruptedError();
    return answer as Exclude<Answer, symbol>;
  };
  return {
    isInteractive: streams.stdin.isTTY === true && streams.stderr.isTTY === true,
    text: (message) => ask((clack) => clack.text({ message, ...terminal })),
    secret: (message) => ask((clack) => clack.password({ message, ...terminal })),
    confirm: (message, initial = 'yes') =>
      ask((clack) => clack.confirm({ message, initialValue: initial === 'yes', ...terminal })),
  };
}

type Clack = typeof import('@clack/prompts');

/**
 * Returns a prompt that escapes the control characters in its questions, because questions quote names that other users chose.
 */
export function withPlainQuestions(prompt: Prompt): Prompt {
  return {
    isInteractive: prompt.isInteractive,
    text: (question) => prompt.text(toOneLine(question)),
    secret: (question) => prompt.secret(toOneLine(question)),
    confirm: (question, initial) => prompt.confirm(toOneLine(question), initial),
  };
}
