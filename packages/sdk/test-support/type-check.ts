import { join } from 'node:path';
import ts from 'typescript';
import { type DocumentedCode, packageFolder } from './documented-code.js';

/** The names that examples use without a declaration. `run-example.ts` provides their values. */
const declarations = `
  import type { FinancialClient } from '@centavo/sdk';
  declare global {
    const client: FinancialClient;
    const accountId: string, budgetId: string, cashboxId: string, categoryId: string, clientId: string;
    const fromAccountId: string, toAccountId: string, groupId: string, movementId: string;
    const trackerId: string, userId: string, webhookId: string, deliveryId: string, email: string, password: string, refreshToken: string;
  }
`;

/**
 * Type-checks all documented code in one strict program, as if the modules belonged to a user of the package. Returns the
 * messages of the compiler.
 */
export function typeCheck(documented: readonly DocumentedCode[]): readonly string[] {
  const files = new Map(documented.map((code, index) => [pathOf(code, index), code]));
  const texts = new Map([...files].map(([path, { text }]) => [path, `${text}\nexport {};\n`]));
  const declarationsPath = join(packageFolder, 'src', 'globals.d.ts');
  texts.set(declarationsPath, declarations);
  const options: ts.CompilerOptions = {
    ...userOptions(),
    noEmit: true,
    allowJs: true,
    checkJs: true,
    paths: {
      '@centavo/sdk': [join(packageFolder, 'src/index.ts')],
      '@centavo/sdk/testing': [join(packageFolder, 'src/testing/index.ts')],
      '@centavo/sdk/webhooks': [join(packageFolder, 'src/webhooks/index.ts')],
    },
  };
  const program = ts.createProgram([...texts.keys()], options, hostWith(texts, options));
  return ts.getPreEmitDiagnostics(program).map((found) => {
    const path = found.file?.fileName ?? '';
    return `${files.get(path)?.name ?? path}: ${ts.flattenDiagnosticMessageText(found.messageText, '\n')}`;
  });
}

// The path is in the folder of the sources, so that imports resolve as in the sources.
function pathOf({ language }: DocumentedCode, index: number): string {
  return join(packageFolder, 'src', `documented-${index + 1}.${language}`);
}

function userOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(packageFolder, 'tsconfig.json'), ts.sys.readFile);
  return ts.parseJsonConfigFileContent(config, ts.sys, packageFolder).options;
}

function hostWith(texts: ReadonlyMap<string, string>, options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.getSourceFile = (path, version, ...rest) => {
    const text = texts.get(path);
    return text === undefined ? getSourceFile(path, version, ...rest) : ts.createSourceFile(path, text, version);
  };
  return host;
}
