import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';

type Environment = Readonly<Record<string, string | undefined>>;

/** The directories of this installation, and the CLI command and sample bank statement that the startup message names. */
export interface Installation {
  /** The data directory if DATA_DIR is not set. */
  readonly defaultDataDir: string;
  /** The directory `docs`. Help texts and error messages name pages in it. */
  readonly docs: string;
  /** The directory of the migrations. */
  readonly migrations: string;
  /** The command that runs the CLI: `centavo`; in a checkout, `node` with a path. */
  readonly cliCommand: string;
  /** The path of the sample bank statement, quoted for a shell if necessary. */
  readonly sampleStatement: string;
}

/**
 * Returns the installation to which the built program belongs. A checkout of the repository stores its data in `.centavo` in its root.
 * An npm package stores its data in {@link platformDataDirectory}.
 * @param program the URL of `dist/main.js`
 */
export function findInstallation(program: string, env: Environment): Installation {
  const pathOf = (relative: string) => fileURLToPath(new URL(relative, program));
  const migrations = pathOf('../migrations');
  // In a checkout, the program is in apps/server/dist.
  if (existsSync(pathOf('../../../pnpm-workspace.yaml'))) {
    return {
      defaultDataDir: pathOf('../../../.centavo'),
      docs: pathOf('../../../docs'),
      migrations,
      cliCommand: 'node apps/cli/dist/main.js',
      sampleStatement: 'examples/household-2026.csv',
    };
  }
  return {
    defaultDataDir: platformDataDirectory({ platform: process.platform, env, home: homedir() }),
    docs: pathOf('docs'),
    migrations,
    cliCommand: 'centavo',
    sampleStatement: quote(pathOf('examples/household-2026.csv')),
  };
}

/**
 * Returns `$XDG_DATA_HOME/centavo` if XDG_DATA_HOME is set, otherwise a directory in the system's directory for application data.
 * XDG_DATA_HOME applies on every system, not only on Linux. The CLI treats XDG_CONFIG_HOME in the same way. A relative XDG_DATA_HOME is
 * ignored, as the XDG specification requires.
 * @param home the home directory of the user
 */
export function platformDataDirectory(options: {
  readonly platform: NodeJS.Platform;
  readonly env: Environment;
  readonly home: string;
}): string {
  const { platform, env, home } = options;
  if (env.XDG_DATA_HOME !== undefined && isAbsolute(env.XDG_DATA_HOME)) return join(env.XDG_DATA_HOME, 'centavo');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'centavo');
  if (platform !== 'win32') return join(home, '.local', 'share', 'centavo');
  return win32.join(env.LOCALAPPDATA || win32.join(home, 'AppData', 'Local'), 'centavo', 'Data');
}

/** Returns a path for a shell, in quotes if the path has characters other than ASCII letters, digits and a few punctuation marks. */
function quote(path: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(path) ? path : `"${path}"`;
}
