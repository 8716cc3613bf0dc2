import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { clusterPaths } from './cluster-directory.js';
import { readClusterState, writeClusterState } from './cluster-state.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'centavo-state-'));
});
afterEach(() => rm(folder, { recursive: true }));

const holders = [{ id: 'a', pid: process.pid, startedAt: 'now' }];

async function newDataDir(directory: (dataDir: string) => string): Promise<string> {
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const state = { directory: directory(dataDir), password: 'p', isInitialized: true, holders };
  await writeClusterState(clusterPaths(dataDir), state);
  return dataDir;
}

const inside = (dataDir: string) => join(dataDir, 'postgres');
const outside = () => join(folder, 'elsewhere');

test('readClusterState returns the processes that use a cluster even after the whole DATA_DIR was moved', async () => {
  const dataDir = await newDataDir(inside);
  expect(await readClusterState(clusterPaths(dataDir))).toMatchObject({ directory: inside(dataDir), holders });
  const moved = join(folder, 'moved');
  await rename(dataDir, moved);
  expect(await readClusterState(clusterPaths(moved))).toMatchObject({ directory: inside(moved), holders });
});

test('readClusterState returns no processes for a copy of DATA_DIR, because the processes in the copied state file use the original', async () => {
  const dataDir = await newDataDir(inside);
  const copy = join(folder, 'copy');
  await cp(dataDir, copy, { recursive: true });
  expect(await readClusterState(clusterPaths(copy))).toMatchObject({ directory: inside(copy), holders: [] });
});

test('readClusterState returns the processes that use a cluster outside DATA_DIR, even for a copy of DATA_DIR', async () => {
  const dataDir = await newDataDir(outside);
  const copy = join(folder, 'copy');
  await cp(dataDir, copy, { recursive: true });
  expect(await readClusterState(clusterPaths(copy))).toMatchObject({ directory: outside(), holders });
});
