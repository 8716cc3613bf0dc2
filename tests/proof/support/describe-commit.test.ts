import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { describeCommit } from '../../../tools/describe-commit.mjs';

const hasGit = spawnSync('git', ['--version']).status === 0;
const folders: string[] = [];

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'centavo-commit-'));
  folders.push(folder);
  return folder;
}

function newRepository() {
  const folder = newFolder();
  const git = (...parameters: string[]) => execFileSync('git', parameters, { cwd: folder, encoding: 'utf8' }).trim();
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs', 'proof.md'), 'before');
  writeFileSync(join(folder, 'source.ts'), 'before');
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=Centavo', '-c', 'user.email=centavo@example.com', 'commit', '--quiet', '-m', 'First');
  return { folder, head: git('rev-parse', '--short=7', 'HEAD') };
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

describe.skipIf(!hasGit)(`the commit of a report${hasGit ? '' : ' (skipped: there is no git)'}`, () => {
  it('is not marked as changed if only docs/proof.md differs', () => {
    const { folder, head } = newRepository();
    expect(describeCommit(folder)).toBe(head);
    writeFileSync(join(folder, 'docs', 'proof.md'), 'after');
    expect(describeCommit(folder)).toBe(head);
  });

  it('is marked as changed if a source differs', () => {
    const { folder, head } = newRepository();
    writeFileSync(join(folder, 'source.ts'), 'after');
    expect(describeCommit(folder)).toBe(`${head}, changed`);
  });

  it('is marked as changed if there is an untracked file', () => {
    const { folder, head } = newRepository();
    writeFileSync(join(folder, 'new.ts'), '');
    expect(describeCommit(folder)).toBe(`${head}, changed`);
  });

  it('is null outside a repository', () => {
    expect(describeCommit(newFolder())).toBeNull();
  });
});
