import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DocumentedCode, packageFolder } from './documented-code.js';

/** Declares the names that the examples use but do not declare. `run-example.ts` provides the values of these names. */
const declarations = `
  import type { FinancialClient } from '@centavo/sdk';
  declare global {
    const client: FinancialClient;
    const accountId: string, budgetId: string, cashboxId: string, categoryId: string, clientId: string;
    const fromAccountId: string, toAccountId: string, groupId: string, movementId: string;
    const trackerId: string, userId: string, webhookId: string, deliveryId: string, email: string, password: string, refreshToken: string;
  }
`;

const compiler = join(packageFolder, '../../node_modules/typescript-7/bin/tsc');

/**
 * Type-checks all code examples of the documentation in one strict program, as if a user of the package had written them. Returns the
 * messages of the compiler. Each message begins with the name of the example, such as `README 3`, instead of the file path.
 */
export function typeCheck(documented: readonly DocumentedCode[]): readonly string[] {
  const files = new Map(documented.map((code, index) => [`documented-${index + 1}.${code.language}`, code]));
  // The examples are written to files inside the folder of this package, so that the compiler finds the packages that they import.
  const cache = join(packageFolder, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'documented-'));
  try {
    for (const [file, { text }] of files) writeFileSync(join(folder, file), `${text}\nexport {};\n`);
    writeFileSync(join(folder, 'globals.d.ts'), declarations);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings(['globals.d.ts', ...files.keys()])));
    const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', '.', '--pretty', 'false'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const messages = stdout.split('\n').filter((line) => line !== '');
    if (status !== 0 && messages.length === 0) throw new Error('The compiler failed without a message.');
    return messages.map((message) => message.replace(/^[^(]+/, (file) => files.get(file)?.name ?? file));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function settings(files: readonly string[]): object {
  return {
    extends: join(packageFolder, 'tsconfig.json'),
    compilerOptions: {
      noEmit: true,
      allowJs: true,
      checkJs: true,
      paths: {
        '@centavo/sdk': [join(packageFolder, 'src/index.ts')],
        '@centavo/sdk/testing': [join(packageFolder, 'src/testing/index.ts')],
        '@centavo/sdk/webhooks': [join(packageFolder, 'src/webhooks/index.ts')],
      },
    },
    include: [],
    files,
  };
}
