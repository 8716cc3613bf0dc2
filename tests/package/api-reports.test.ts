import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import { afterAll, expect, test } from 'vitest';
import { inCanonicalOrder } from './support/canonical-order.js';
import { folderOf, manifestIn, packageNames } from './support/packages.js';

const temporary = mkdtempSync(join(tmpdir(), 'centavo-api-reports-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

const entryPoints = packageNames.flatMap((name) => {
  const folder = folderOf(name);
  return Object.entries(manifestIn(folder).exports).map(([path, entryPoint]) => {
    const reportName = [basename(folder), ...path.split('/').slice(1)].join('-');
    return {
      entryPoint: join(name, path),
      folder,
      types: join(folder, entryPoint.import.types),
      file: `${reportName}.api.md`,
    };
  });
});

test.each(entryPoints)('the exports of $entryPoint match its API report', async ({ folder, types, file }) => {
  const remedy =
    'The public API has changed. If the change is intended, update the report with: node tools/run.mjs api';
  await expect(reportOf({ folder, types, file }), remedy).toMatchFileSnapshot(join(folder, 'etc', file));
});

/** Returns API Extractor's report of the built declarations: every exported name with its type. */
function reportOf({ folder, types, file }: { folder: string; types: string; file: string }): string {
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: types,
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', strict: true, skipLibCheck: true },
            ...{ lib: ['es2023', 'dom', 'dom.iterable'], types: [] },
          },
          files: [types],
        },
      },
      // Writes the report to a temporary folder. The snapshot compares it with the stored report.
      apiReport: { enabled: true, reportFileName: file, reportFolder: temporary, reportTempFolder: temporary },
      newlineKind: 'lf',
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, 'package.json'),
  });
  Extractor.invoke(config, {
    localBuild: true,
    messageCallback: (message) => {
      message.handled = message.logLevel !== ExtractorLogLevel.Error;
    },
  });
  return inCanonicalOrder(readFileSync(join(temporary, file), 'utf8'));
}
