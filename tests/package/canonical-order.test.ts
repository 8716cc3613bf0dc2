import { expect, test } from 'vitest';
import { inCanonicalOrder } from './support/canonical-order.js';

test('two API reports are equal in canonical order if they differ only in the order of enum or union members', () => {
  const one = reportWith(
    `export const a: zod.ZodEnum<{\n    b: "b";\n    a: "a";\n}>;\nexport type T = "b" | "a" | null | undefined;`,
  );
  const other = reportWith(
    `export const a: zod.ZodEnum<{\n    a: "a";\n    b: "b";\n}>;\nexport type T = undefined | "a" | null | "b";`,
  );
  expect(inCanonicalOrder(one)).toBe(inCanonicalOrder(other));
});

test('the canonical order keeps the order of parameters, tuple elements and object properties', () => {
  const report = reportWith(
    `export function f(b: string, a: "b" | B): ["b", "a"];\nexport interface I {\n    b: "b";\n    a: "a";\n}`,
  );
  expect(inCanonicalOrder(report)).toBe(report);
});

function reportWith(code: string): string {
  return `## Report\n\n\`\`\`ts\n\n${code}\n\n\`\`\`\n`;
}
