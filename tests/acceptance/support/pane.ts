import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { cliProgram, repository } from './repository.js';
import { until } from './until.js';

/** A real terminal: bash in tmux, in the folder of the repository, with `centavo` as the README defines it. */
export interface Pane {
  /** Types text. A line break presses Enter. */
  type(text: string): void;
  /** Presses a key, by tmux's name: `Enter`, `Tab`, `C-c`. */
  press(key: string): void;
  /** Waits until the screen or its history matches. @throws Error with the screen if it never does */
  shows(pattern: RegExp): Promise<string>;
  /** Types a command and waits for its end. @returns the exit code */
  run(line: string): Promise<number>;
  /** Returns everything that programs wrote since the pane was opened, with escape sequences and overwritten text. */
  recording(): Promise<string>;
}

/** Whether tmux and bash are installed. */
export const hasTmux = spawnSync('tmux', ['-V']).status === 0 && spawnSync('bash', ['-c', 'exit 0']).status === 0;

/** The suffix for the title of a test that is skipped without tmux. */
export const tmuxNote = hasTmux ? '' : ' (skipped: there is no tmux)';

/**
 * Closes the panes of a test file after its tests.
 * @returns a function that opens a pane of 100 columns and 40 lines with an empty home folder; it adds `env` to the pane's default
 *   environment variables
 */
export function preparePanes(): (env: Readonly<Record<string, string>>) => Promise<Pane> {
  const closings: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const close of closings) await close();
  });
  return (env) => openPane(env, (close) => closings.push(close));
}

async function openPane(
  env: Readonly<Record<string, string>>,
  onOpen: (close: () => Promise<void>) => void,
): Promise<Pane> {
  const home = await mkdtemp(join(tmpdir(), 'centavo-pane-'));
  // The pane has its own tmux server, so that it neither uses nor changes the sessions of the developer.
  const socket = join(home, 'tmux');
  const recordingPath = join(home, 'recording');
  const tmux = (...words: string[]) =>
    execFileSync('tmux', ['-u', '-S', socket, '-f', '/dev/null', ...words], {
      cwd: repository,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH ?? '',
        HOME: home,
        XDG_CONFIG_HOME: home,
        TERM: 'xterm-256color',
        LC_ALL: 'C.UTF-8',
        CENTAVO_SECRET_STORE: 'file',
        ...env,
      },
    });
  const rcFile = join(home, 'bashrc');
  await writeFile(rcFile, `PS1='$ '\ncentavo() { '${process.execPath}' '${join(repository, cliProgram)}' "$@"; }\n`);
  tmux('new-session', '-d', '-x', '100', '-y', '40', `bash --noprofile --rcfile '${rcFile}' -i`);
  onOpen(async () => {
    tmux('kill-server');
    await rm(home, { recursive: true, force: true, maxRetries: 12, retryDelay: 100 });
  });
  tmux('pipe-pane', `cat > '${recordingPath}'`);

  const screen = () => tmux('capture-pane', '-p', '-J', '-S', '-');
  const shows: Pane['shows'] = async (pattern) => {
    let shown = '';
    const matches = () => {
      shown = screen();
      return pattern.test(shown);
    };
    // Fewer attempts than by default, because each attempt runs tmux.
    await until(`the screen matches ${pattern}`, matches, { attemptsMax: 2_000 }).catch((error: Error) => {
      throw new Error(`${error.message} It shows:\n${shown}`);
    });
    return shown;
  };
  const type: Pane['type'] = (text) => {
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 0) tmux('send-keys', 'Enter');
      if (line !== '') tmux('send-keys', '-l', line);
    }
  };
  let runs = 0;
  await shows(/^\$ /m);
  return {
    type,
    press: (key) => void tmux('send-keys', key),
    shows,
    async run(line) {
      runs += 1;
      // The typed command has quotes around `ended`, so that the pattern matches only the output.
      type(`${line}; echo "ended" ${runs}: $?\n`);
      const shown = await shows(new RegExp(`^ended ${runs}: \\d+$`, 'm'));
      return Number(new RegExp(`^ended ${runs}: (\\d+)$`, 'm').exec(shown)?.[1]);
    },
    recording: () => readFile(recordingPath, 'utf8'),
  };
}
