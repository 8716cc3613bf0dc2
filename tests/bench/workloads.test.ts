import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { workloadIds } from '../../tools/run-bench.mjs';
import { conversations } from './load/conversations.mjs';
import { importWorkload, workloads } from './workloads.js';

describe('the workloads', () => {
  it.each(workloads)('have requests for Centavo and a script for pgbench: $id', ({ id }) => {
    expect(Object.keys(conversations)).toContain(id);
    expect(existsSync(new URL(`reference/${id}.sql`, import.meta.url))).toBe(true);
  });

  it('can be selected by their ids', () => {
    expect(workloadIds).toEqual([...workloads, importWorkload].map(({ id }) => id));
  });
});
