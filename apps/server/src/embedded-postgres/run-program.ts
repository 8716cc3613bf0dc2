import { spawn } from 'node:child_process';

/** The system user a program is started as, when it is not our own. */
export interface RunUser {
  uid: number;
  gid: number;
}

/**
 * Runs a short-lived program to its end.
 *
 * @returns its exit code (null if it was killed or could not be started) and what it printed, both streams together.
 */
export function runProgram(options: {
  file: string;
  parameters: string[];
  runUser: RunUser | undefined;
}): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(options.file, options.parameters, {
      ...options.runUser,
      // Our own directory may be one that the other user cannot enter.
      cwd: '/',
      env: programEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const keep = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => resolve({ code: null, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** The environment of PostgreSQL's programs: ours could hold secrets, and PG… variables that change what they do. */
export function programEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP } = process.env;
  return {
    LC_ALL: 'C',
    TZ: 'UTC',
    ...(PATH !== undefined && { PATH }),
    ...(SystemRoot !== undefined && { SystemRoot }),
    ...(TEMP !== undefined && { TEMP }),
  };
}
