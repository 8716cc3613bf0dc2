import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. The commands of the README run in this folder. */
export const repository = dirname(fileURLToPath(new URL('../../../package.json', import.meta.url)));

export const serverProgram = 'apps/server/dist/main.js';
export const cliProgram = 'apps/cli/dist/main.js';
