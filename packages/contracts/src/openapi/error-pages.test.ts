import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { type ErrorCode, errorCodes, issueCodes, stateConflictReasons } from '../error-codes.js';
import { errorSchemaName } from './error-schemas.js';
import { openApiDocument } from './index.js';

const folder = new URL('../../../../docs/errors/', import.meta.url);
const codes = Object.keys(errorCodes) as ErrorCode[];
const pageOf = (name: string) => readFileSync(new URL(`${name}.md`, folder), 'utf8');

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(openApiDocument({ serverUrl: '/', version: '0.1.0' }), 'openapi');

test('every error code has a page, and every page has an error code', () => {
  const pages = readdirSync(folder).filter((name) => name !== 'README.md');
  expect(pages.sort()).toEqual(codes.map((code) => `${code}.md`).sort());
});

test('the index of the error pages lists every error code with its status, and nothing else', () => {
  const rows = [...pageOf('README').matchAll(/^\| \[(\w+)\]\((\w+)\.md\) +\| (\d+)/gm)];
  const listed = rows.map(([, code, page, status]) => [code, page, Number(status)]);
  expect(listed.sort()).toEqual(codes.map((code) => [code, code, errorCodes[code].status]).sort());
});

describe.each(codes)('the page of %s', (code) => {
  const page = pageOf(code);

  test('has the status of its error code', () => {
    expect(page.startsWith(`# ${code}\n\n**Status:** ${errorCodes[code].status}`)).toBe(true);
  });

  test('has sections on the cause, the details and the remedy', () => {
    for (const part of ['**When.** ', '**Details.** ', '**What to do.** ']) expect(page).toContain(part);
  });

  test("has a valid example, and names every field of the example's details", () => {
    const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? 'null') as { error: { details: object } };
    const validate = ajv.compile({ $ref: `openapi#/components/schemas/${errorSchemaName(code)}` });
    expect([validate(example), validate.errors]).toEqual([true, null]);
    for (const detail of Object.keys(example.error.details)) expect(page).toContain(`\`${detail}\``);
  });
});

test('the page of VALIDATION_ERROR lists every issue code, and the page of STATE_CONFLICT lists every reason', () => {
  const listed = (name: string) => [...pageOf(name).matchAll(/^\| `(\w+)`/gm)].map(([, word]) => word).sort();
  expect(listed('VALIDATION_ERROR')).toEqual([...issueCodes].sort());
  expect(listed('STATE_CONFLICT')).toEqual([...stateConflictReasons].sort());
});
