import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../../acceptance/support/repository.js';

/** The published libraries, each after its dependencies. */
export const packageNames = ['@centavo/contracts', '@centavo/sdk', '@centavo/statement-reader'] as const;

export type PackageName = (typeof packageNames)[number];

/** The conditions of one entry of `exports`, with their files. */
export interface EntryPoint {
  readonly import: { readonly types: string; readonly default: string };
  readonly require: { readonly types: string; readonly default: string };
}

/** The fields of a package.json that the tests read. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly engines?: { readonly node?: string };
  readonly exports: Readonly<Record<string, EntryPoint>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly publishConfig?: { readonly exports?: Readonly<Record<string, EntryPoint>> };
}

/** Returns the folder of a package in this repository. */
export function folderOf(name: PackageName): string {
  return join(repository, 'packages', name.replace('@centavo/', ''));
}

/** Returns the package.json of a folder. */
export function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}
